"use client";
import { useMutation } from "@tanstack/react-query";
import type { SubmitEvent } from "react";
import { Dialog } from "../../../ui/dialog";
import { notify } from "../../../ui/toast";
import type { AboutPerson } from "./about-person";
import { ChangeFailure } from "./change-failure";
import { DialogButtons } from "./dialog-buttons";
import { useStaffChange } from "./use-staff-change";

export function DisableDialog({ person, own, open, onOpenChange }: AboutPerson) {
  const { trpc, refresh } = useStaffChange();
  const disable = useMutation(
    trpc.console.staff.disable.mutationOptions({
      onSuccess: () => {
        notify("success", `${person.email} disabled`);
        onOpenChange(false);
      },
      onSettled: refresh,
    }),
  );
  const submit = (event: SubmitEvent<HTMLFormElement>) => {
    event.preventDefault();
    disable.mutate({ personId: person.id });
  };
  return (
    <Dialog
      open={open}
      onOpenChange={onOpenChange}
      title={own ? "Disable your own account?" : `Disable ${person.email}?`}
      description={
        own
          ? "You are signed out immediately and cannot sign in until another admin enables your account."
          : "They are signed out immediately, their links stop working, and they cannot sign in until an admin enables them. Their audit log entries are kept."
      }
    >
      <form onSubmit={submit} noValidate className="mt-4 flex flex-col gap-4">
        <ChangeFailure error={disable.error} />
        <DialogButtons onCancel={() => onOpenChange(false)} busy={disable.isPending} danger>
          Disable
        </DialogButtons>
      </form>
    </Dialog>
  );
}
