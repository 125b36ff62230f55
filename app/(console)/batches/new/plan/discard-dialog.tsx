"use client";
import { Button } from "../../../../ui/button";
import { Dialog } from "../../../../ui/dialog";

interface DiscardDialogProps {
  open: boolean;
  onOpenChange: (open: boolean) => void;
  storedCount: number;
  onDiscard: () => void;
}

export function DiscardDialog({ open, onOpenChange, storedCount, onDiscard }: DiscardDialogProps) {
  return (
    <Dialog
      open={open}
      onOpenChange={onOpenChange}
      title="Discard these rows?"
      description={
        storedCount === 0
          ? "They are removed from this browser. Nothing has been submitted."
          : `They are removed from this browser. ${storedCount === 1 ? "1 batch has already been submitted and is" : `${storedCount} batches have already been submitted and are`} not affected. To stop ${storedCount === 1 ? "it" : "them"}, cancel ${storedCount === 1 ? "it" : "them"} in the batch list.`
      }
    >
      <div className="mt-4 flex justify-end gap-2">
        <Button onClick={() => onOpenChange(false)}>Keep rows</Button>
        <Button variant="danger" onClick={onDiscard}>
          Discard rows
        </Button>
      </div>
    </Dialog>
  );
}
