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
          ? "They are taken out of this browser. Nothing of them was sent."
          : `They are taken out of this browser. ${storedCount === 1 ? "One batch is stored and stays" : `${storedCount} batches are stored and stay`}; to stop ${storedCount === 1 ? "it, cancel it" : "them, cancel them"} in the list.`
      }
    >
      <div className="mt-4 flex justify-end gap-2">
        <Button onClick={() => onOpenChange(false)}>Keep them</Button>
        <Button variant="danger" onClick={onDiscard}>
          Discard
        </Button>
      </div>
    </Dialog>
  );
}
