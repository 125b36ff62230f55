"use client";
import { Dialog as Base } from "@base-ui/react/dialog";
import { X } from "lucide-react";
import { type ReactNode, useRef } from "react";
import { buttonLook } from "./button-look";

interface SheetProps {
  open: boolean;
  onOpenChange: (open: boolean) => void;
  title: ReactNode;
  children: ReactNode;
}

/** A modal drawer on the left. */
export function Sheet({ open, onOpenChange, title, children }: SheetProps) {
  const close = useRef<HTMLButtonElement>(null);
  return (
    <Base.Root open={open} onOpenChange={onOpenChange} modal>
      <Base.Portal>
        <Base.Backdrop className="overlay-motion fixed inset-0 z-30 bg-black/40" />
        <Base.Popup
          initialFocus={close}
          className="overlay-motion fixed inset-y-0 left-0 z-40 flex w-full max-w-[280px] flex-col border-line border-r bg-surface shadow-overlay outline-none data-ending-style:-translate-x-4 data-starting-style:-translate-x-4"
        >
          <div className="flex h-14 shrink-0 items-center gap-2 border-line border-b pr-3 pl-4">
            <Base.Title render={<div />} className="min-w-0 flex-1 truncate font-semibold text-body">
              {title}
            </Base.Title>
            <Base.Close
              ref={close}
              aria-label="Close"
              className={buttonLook({ variant: "ghost", size: "icon" })}
            >
              <X aria-hidden size={16} />
            </Base.Close>
          </div>
          <div className="min-h-0 flex-1 overflow-y-auto">{children}</div>
        </Base.Popup>
      </Base.Portal>
    </Base.Root>
  );
}
