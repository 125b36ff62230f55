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
  const make = useMutation(trpc.console.staff.newLink.mutationOptions({ onSettled: refresh }));
  const submit = (event: SubmitEvent<HTMLFormElement>) => {
    event.preventDefault();
    make.mutate({ personId: person.id });
  };
  const close = () => onOpenChange(false);
  return (
    <Dialog
      open={open}
      onOpenChange={onOpenChange}
      title={make.data ? "The link is ready" : "Make a new link?"}
      description={
        make.data
          ? null
          : `With it ${person.email} chooses a new password, and every session of theirs ends. Until then the old password works; older links end now.`
      }
    >
      {make.data ? (
        <LinkShown link={make.data} onDone={close} />
      ) : (
        <form onSubmit={submit} noValidate className="mt-4 flex flex-col gap-4">
          <ChangeFailure error={make.error} />
          <DialogButtons onCancel={close} busy={make.isPending}>
            Make link
          </DialogButtons>
        </form>
      )}
    </Dialog>
  );
}
