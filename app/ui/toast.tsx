"use client";
import { type ComponentType, useEffect, useState } from "react";
import type { ToasterProps } from "sonner";

interface Notice {
  kind: "success" | "error";
  words: string;
}

const NOTICE = "notice";

/** Tells something in the corner of the screen. */
export function notify(kind: Notice["kind"], words: string): void {
  dispatchEvent(new CustomEvent<Notice>(NOTICE, { detail: { kind, words } }));
}

/** Where notices appear; their code comes with the first one. */
export function Toasts() {
  const [Toaster, setToaster] = useState<ComponentType<ToasterProps>>();
  useEffect(() => {
    const show = async (event: Event) => {
      const { kind, words } = (event as CustomEvent<Notice>).detail;
      const sonner = await import("sonner");
      setToaster(() => sonner.Toaster);
      sonner.toast[kind](words);
    };
    addEventListener(NOTICE, show);
    return () => removeEventListener(NOTICE, show);
  }, []);
  if (!Toaster) return null;
  return (
    <Toaster
      position="bottom-right"
      toastOptions={{
        className: "!rounded-card !border-line !bg-raised !text-text !shadow-overlay !font-sans !text-table",
      }}
    />
  );
}
