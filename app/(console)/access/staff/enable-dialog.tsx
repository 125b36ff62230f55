"use client";
import { useMutation } from "@tanstack/react-query";
import type { SubmitEvent } from "react";
import { Dialog } from "../../../ui/dialog";
import { notify } from "../../../ui/toast";
import type { AboutPerson } from "./about-person";
import { ChangeFailure } from "./change-failure";
import { DialogButtons } from "./dialog-buttons";
import { ROLES } from "./roles";
import { useStaffChange } from "./use-staff-change";

export function EnableDialog({ person, open, onOpenChange }: AboutPerson) {
  const { trpc, refresh } = useStaffChange();
  const enable = useMutation(
    trpc.console.staff.enable.mutationOptions({
      onSuccess: () => {
        notify("success", `${person.email} enabled`);
        onOpenChange(false);
      },
      onSettled: refresh,
    }),
  );
  const submit = (event: SubmitEvent<HTMLFormElement>) => {
    event.preventDefault();
    enable.mutate({ personId: person.id });
  };
  return (
    <Dialog
      open={open}
      onOpenChange={onOpenChange}
      title={`Enable ${person.email}?`}
      description={`They can sign in again as ${ROLES[person.role].label.toLowerCase()} with their current password. If they never set one, create a password link for them.`}
    >
      <form onSubmit={submit} noValidate className="mt-4 flex flex-col gap-4">
        <ChangeFailure error={enable.error} />
        <DialogButtons onCancel={() => onOpenChange(false)} busy={enable.isPending}>
          Enable
        </DialogButtons>
      </form>
    </Dialog>
  );
}
