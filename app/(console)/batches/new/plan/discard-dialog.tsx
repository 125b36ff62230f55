"use client";
import { formatCount } from "../../../../ui/amount";
import { FormDialog } from "../../../../ui/form-dialog";

interface DiscardDialogProps {
  open: boolean;
  onOpenChange: (open: boolean) => void;
  storedCount: number;
  onDiscard: () => void;
}

export function DiscardDialog({ open, onOpenChange, storedCount, onDiscard }: DiscardDialogProps) {
  const submitted =
    storedCount === 1
      ? "1 batch has already been submitted and is not affected. To stop it, cancel it in the batch list."
      : `${formatCount(storedCount)} batches have already been submitted and are not affected. To stop them, cancel them in the batch list.`;
  return (
    <FormDialog
      open={open}
      onOpenChange={onOpenChange}
      title="Discard these rows?"
      description={`They are removed from this browser. ${storedCount === 0 ? "Nothing has been submitted." : submitted}`}
      problem={null}
      busy={false}
      cancel="Keep rows"
      submit="Discard rows"
      danger
      onSubmit={onDiscard}
    />
  );
}
