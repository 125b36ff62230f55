"use client";
import { Popover as Base } from "@base-ui/react/popover";
import type { ReactElement, ReactNode } from "react";

interface PopoverProps {
  trigger: ReactElement;
  title: string;
  open?: boolean;
  onOpenChange?: (open: boolean) => void;
  children: ReactNode;
}

export function Popover({ trigger, title, open, onOpenChange, children }: PopoverProps) {
  return (
    <Base.Root open={open} onOpenChange={onOpenChange}>
      <Base.Trigger render={trigger} />
      <Base.Portal>
        <Base.Positioner align="start" sideOffset={6} collisionPadding={12} className="z-50 outline-none">
          <Base.Popup className="overlay-motion max-h-(--available-height) max-w-[calc(100vw-24px)] overflow-y-auto rounded-card border border-line bg-raised p-3 shadow-overlay outline-none">
            <Base.Title className="mb-2 font-medium text-label text-muted">{title}</Base.Title>
            {children}
          </Base.Popup>
        </Base.Positioner>
      </Base.Portal>
    </Base.Root>
  );
}
