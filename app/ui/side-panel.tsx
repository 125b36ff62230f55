"use client";
import { X } from "lucide-react";
import { type ReactNode, useEffect, useEffectEvent, useId, useRef } from "react";
import { createPortal } from "react-dom";
import { Button } from "@/app/ui/button";
import { OVERLAYS } from "@/app/ui/hooks";

interface SidePanelProps {
  onClose: () => void;
  title: string;
  actions?: ReactNode;
  /** Moves the focus when the panel closes. @param before what had it, unless it is gone */
  finalFocus: (before: HTMLElement | null) => void;
  children: ReactNode;
}

/** Leaves the page usable. The dialog library would cost 27 kB of script on the first screen. */
export function SidePanel({ onClose, title, actions, finalFocus, children }: SidePanelProps) {
  const titleId = useId();
  const close = useRef<HTMLButtonElement>(null);
  const closeNow = useEffectEvent(onClose);
  const moveFocus = useEffectEvent(finalFocus);
  useEffect(() => {
    const before = document.activeElement;
    close.current?.focus();
    const closeOnEscape = (event: KeyboardEvent) => {
      if (event.key !== "Escape" || event.defaultPrevented) return;
      // Escape closes those first. A closed one covers nothing, even while it fades out.
      const overlays = [...document.querySelectorAll(OVERLAYS)];
      if (overlays.every((overlay) => overlay.closest("[data-closed]"))) closeNow();
    };
    document.addEventListener("keydown", closeOnEscape);
    return () => {
      document.removeEventListener("keydown", closeOnEscape);
      const isLeft = before instanceof HTMLElement && before.isConnected && before !== document.body;
      moveFocus(isLeft ? before : null);
    };
  }, []);
  return createPortal(
    <div
      role="dialog"
      data-side-panel
      aria-labelledby={titleId}
      className="fixed inset-y-0 right-0 z-40 flex w-full flex-col
        border-line border-l bg-surface shadow-overlay md:w-[560px] print:hidden"
    >
      <div className="flex h-14 shrink-0 items-center gap-2 border-line border-b pr-3 pl-4">
        <div id={titleId} className="min-w-0 flex-1 truncate font-semibold text-body">
          {title}
        </div>
        {actions}
        <Button ref={close} variant="ghost" size="icon" aria-label="Close" onClick={onClose}>
          <X size={16} />
        </Button>
      </div>
      <div className="min-h-0 flex-1 overflow-y-auto">{children}</div>
    </div>,
    document.body,
  );
}
