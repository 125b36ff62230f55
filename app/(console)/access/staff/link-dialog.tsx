"use client";
import { useMutation } from "@tanstack/react-query";
import type { SubmitEvent } from "react";
import { Dialog } from "../../../ui/dialog";
import type { AboutPerson } from "./about-person";
import { ChangeFailure } from "./change-failure";
import { DialogButtons } from "./dialog-buttons";
import { LinkShown } from "./link-shown";
import { useStaffChange } from "./use-staff-change";

export function LinkDialog({ person, open, onOpenChange }: AboutPerson) {
  const { trpc, refresh } = useStaffChange();
  const create = useMutation(trpc.console.staff.newLink.mutationOptions({ onSettled: refresh }));
  const submit = (event: SubmitEvent<HTMLFormElement>) => {
    event.preventDefault();
    create.mutate({ personId: person.id });
  };
  const close = () => onOpenChange(false);
  return (
    <Dialog
      open={open}
      onOpenChange={onOpenChange}
      title={create.data ? "Password link created" : "Create a password link?"}
      description={
        create.data
          ? null
          : `${person.email} can use it to set a new password, which signs them out everywhere. Their current password works until then. Earlier links stop working now.`
      }
    >
      {create.data ? (
        <LinkShown link={create.data} onDone={close} />
      ) : (
        <form onSubmit={submit} noValidate className="mt-4 flex flex-col gap-4">
          <ChangeFailure error={create.error} />
          <DialogButtons onCancel={close} busy={create.isPending}>
            Create link
          </DialogButtons>
        </form>
      )}
    </Dialog>
  );
}
