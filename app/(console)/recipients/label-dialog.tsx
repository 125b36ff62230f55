"use client";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useRouter } from "next/navigation";
import { fieldError, problemOf } from "../../data/problem";
import { useTRPC } from "../../data/trpc";
import { Field, Input } from "../../ui/field";
import { FormDialog } from "../../ui/form-dialog";
import { notify } from "../../ui/toast";

interface LabelDialogProps {
  address: string;
  label: string | null;
  close: () => void;
}

export function LabelDialog({ address, label, close }: LabelDialogProps) {
  const trpc = useTRPC();
  const queryClient = useQueryClient();
  const router = useRouter();
  const change = useMutation(
    trpc.console.recipients.setLabel.mutationOptions({
      onSuccess: (_, input) => {
        notify("success", input.label === null ? "Label removed" : "Label saved");
        close();
        // The tab's title has the label too.
        router.refresh();
      },
      onSettled: () =>
        Promise.all([
          queryClient.invalidateQueries(trpc.console.recipients.pathFilter()),
          queryClient.invalidateQueries(trpc.console.batches.transfers.queryFilter()),
          queryClient.invalidateQueries(trpc.console.search.pathFilter()),
        ]),
    }),
  );
  const problem = change.error && problemOf(change.error);
  const error = fieldError(problem, "label");
  return (
    <FormDialog
      open
      onOpenChange={close}
      title={label === null ? "Add label" : "Edit label"}
      description="Shown next to the address, never instead of it, to everyone in the console."
      problem={error ? null : problem}
      busy={change.isPending}
      submit="Save"
      onSubmit={(form) => {
        const text = String(form.get("label") ?? "").trim();
        change.mutate({ address, label: text === "" && label !== null ? null : text });
      }}
    >
      <Field
        label="Label"
        error={error}
        hint={
          label === null ? "Up to 80 characters." : "Up to 80 characters. Leave it empty to remove the label."
        }
      >
        {(control) => (
          <Input {...control} name="label" defaultValue={label ?? ""} autoComplete="off" autoFocus />
        )}
      </Field>
    </FormDialog>
  );
}
