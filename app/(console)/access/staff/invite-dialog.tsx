"use client";
import { useMutation } from "@tanstack/react-query";
import { type SubmitEvent, useState } from "react";
import { Dialog } from "../../../ui/dialog";
import { Field, Input } from "../../../ui/field";
import { ChangeFailure } from "./change-failure";
import { DialogButtons } from "./dialog-buttons";
import { LinkShown } from "./link-shown";
import { RoleChoices, roleOf } from "./role-choices";
import { useStaffChange } from "./use-staff-change";

const EMAIL = /^[^\s@]+@[^\s@]+\.[^\s@]+$/;

export function InviteDialog(props: { open: boolean; onOpenChange: (open: boolean) => void }) {
  const { trpc, refresh } = useStaffChange();
  const [error, setError] = useState<string>();
  const invite = useMutation(trpc.console.staff.invite.mutationOptions({ onSettled: refresh }));
  const submit = (event: SubmitEvent<HTMLFormElement>) => {
    event.preventDefault();
    const form = new FormData(event.currentTarget);
    const email = String(form.get("email") ?? "").trim();
    const isWrong = !EMAIL.test(email);
    setError(isWrong ? "Enter an email address, such as name@example.com." : undefined);
    if (!isWrong) invite.mutate({ email, role: roleOf(form) });
  };
  const close = () => props.onOpenChange(false);
  return (
    <Dialog
      {...props}
      title={invite.data ? "Invitation created" : "Invite a team member"}
      description={
        invite.data
          ? null
          : "They get a link that lets them set a password. If this service sends email, it is sent to them; it is also shown to you, so that you can pass it on."
      }
    >
      {invite.data ? (
        <LinkShown link={invite.data} onDone={close} />
      ) : (
        <form onSubmit={submit} noValidate className="mt-4 flex flex-col gap-4">
          <ChangeFailure error={invite.error} />
          <Field label="Email" error={error}>
            {(control) => (
              <Input {...control} name="email" type="email" autoComplete="off" spellCheck={false} autoFocus />
            )}
          </Field>
          <RoleChoices initial="viewer" />
          <DialogButtons onCancel={close} busy={invite.isPending}>
            Create invitation
          </DialogButtons>
        </form>
      )}
    </Dialog>
  );
}
