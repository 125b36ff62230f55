"use client";
import { type ComponentType, useEffect, useState } from "react";
import type { ToasterProps } from "sonner";

interface Notice {
  kind: "success" | "error";
  message: string;
}

const NOTICE = "notice";

export function notify(kind: Notice["kind"], message: string): void {
  dispatchEvent(new CustomEvent<Notice>(NOTICE, { detail: { kind, message } }));
}

/** The toast library is loaded with the first notice. */
export function Toasts() {
  const [Toaster, setToaster] = useState<ComponentType<ToasterProps>>();
  useEffect(() => {
    const show = async (event: Event) => {
      const { kind, message } = (event as CustomEvent<Notice>).detail;
      const sonner = await import("sonner");
      setToaster(() => sonner.Toaster);
      sonner.toast[kind](message);
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
