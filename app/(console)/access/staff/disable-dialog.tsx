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
        notify("success", `${person.email} is disabled.`);
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
      title={own ? "Disable yourself?" : `Disable ${person.email}?`}
      description={
        own
          ? "You are signed out at once and cannot come in until another admin enables you."
          : "Their sessions and links end at once, and they cannot sign in until an admin enables them again. What they did stays in the audit log."
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
