"use client";
import { useMutation } from "@tanstack/react-query";
import type { SubmitEvent } from "react";
import { Dialog } from "../../../ui/dialog";
import { notify } from "../../../ui/toast";
import type { AboutPerson } from "./about-person";
import { ChangeFailure } from "./change-failure";
import { DialogButtons } from "./dialog-buttons";
import { RoleChoices, roleOf } from "./role-choices";
import { ROLES } from "./roles";
import { useStaffChange } from "./use-staff-change";

export function RoleDialog({ person, own, open, onOpenChange }: AboutPerson) {
  const { trpc, refresh } = useStaffChange();
  const change = useMutation(
    trpc.console.staff.changeRole.mutationOptions({
      onSuccess: (_nothing, { role }) => {
        notify("success", `${person.email} now has the ${ROLES[role].label.toLowerCase()} role`);
        onOpenChange(false);
      },
      onSettled: refresh,
    }),
  );
  const submit = (event: SubmitEvent<HTMLFormElement>) => {
    event.preventDefault();
    change.mutate({ personId: person.id, role: roleOf(new FormData(event.currentTarget)) });
  };
  return (
    <Dialog
      open={open}
      onOpenChange={onOpenChange}
      title="Change role"
      description={
        own
          ? "Changing your role signs you out. Sign in again to continue."
          : `Changing the role signs ${person.email} out. They can sign in again right away.`
      }
    >
      <form onSubmit={submit} noValidate className="mt-4 flex flex-col gap-4">
        <ChangeFailure error={change.error} />
        <RoleChoices initial={person.role} />
        <DialogButtons onCancel={() => onOpenChange(false)} busy={change.isPending}>
          Change role
        </DialogButtons>
      </form>
    </Dialog>
  );
}
