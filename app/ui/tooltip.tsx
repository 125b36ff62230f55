"use client";
import { Tooltip as Base } from "@base-ui/react/tooltip";
import type { ReactElement, ReactNode } from "react";

export const TooltipProvider = Base.Provider;

/** Words for a thing on hover and on focus; the thing itself must make sense without them. */
export function Tooltip({ label, children }: { label: ReactNode; children: ReactElement }) {
  return (
    <Base.Root>
      <Base.Trigger render={children} />
      <Base.Portal>
        <Base.Positioner sideOffset={6} className="z-50">
          <Base.Popup className="overlay-motion max-w-80 rounded-control border border-line bg-raised px-2 py-1 text-label text-text shadow-overlay">
            {label}
          </Base.Popup>
        </Base.Positioner>
      </Base.Portal>
    </Base.Root>
  );
}
