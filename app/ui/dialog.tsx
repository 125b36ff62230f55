"use client";
import { Dialog as Base } from "@base-ui/react/dialog";
import type { ReactNode } from "react";
import { submitOnKeys } from "@/app/ui/submit-keys";

interface DialogProps {
  open: boolean;
  onOpenChange: (open: boolean) => void;
  title: string;
  description: ReactNode;
  /** Receives the focus after closing. By default, or for null, it returns to where it was. */
  finalFocus?: () => HTMLElement | null;
  children: ReactNode;
}

export function Dialog({ open, onOpenChange, title, description, finalFocus, children }: DialogProps) {
  return (
    <Base.Root open={open} onOpenChange={onOpenChange}>
      <Base.Portal>
        <Base.Backdrop forceRender className="overlay-motion fixed inset-0 z-40 bg-black/40" />
        <Base.Popup
          finalFocus={finalFocus}
          onKeyDown={submitOnKeys}
          className="overlay-motion -translate-1/2 fixed top-1/2 left-1/2 z-50 w-[480px] max-w-[calc(100vw-32px)] rounded-card border border-line bg-raised p-5 shadow-overlay outline-none data-starting-style:scale-[0.98]"
        >
          <Base.Title className="font-semibold text-[1rem]/6">{title}</Base.Title>
          <Base.Description render={<div />} className="mt-1.5 text-body text-muted">
            {description}
          </Base.Description>
          {children}
        </Base.Popup>
      </Base.Portal>
    </Base.Root>
  );
}
