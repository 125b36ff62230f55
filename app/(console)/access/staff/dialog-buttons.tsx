import { LoaderCircle } from "lucide-react";
import type { ReactNode } from "react";
import { Button } from "../../../ui/button";

interface DialogButtonsProps {
  onCancel: () => void;
  busy: boolean;
  danger?: boolean;
  children: ReactNode;
}

export function DialogButtons({ onCancel, busy, danger, children }: DialogButtonsProps) {
  return (
    <div className="flex justify-end gap-2">
      <Button onClick={onCancel}>Cancel</Button>
      <Button type="submit" variant={danger ? "danger" : "primary"} disabled={busy}>
        {busy && <LoaderCircle aria-hidden size={14} className="animate-spin" />}
        {children}
      </Button>
    </div>
  );
}
