"use client";
import dynamic from "next/dynamic";
import { useEffect, useState } from "react";
import { afterOverlay, isSingleKey } from "../../ui/shortcut";

const KeyboardDialog = dynamic(() => import("./keyboard-dialog").then((module) => module.KeyboardDialog), {
  ssr: false,
});

const SHOW_EVENT = "keyboard-help";

export const showKeys = (): void => afterOverlay(() => dispatchEvent(new Event(SHOW_EVENT)));

export function KeyboardHelp() {
  const [open, setOpen] = useState<boolean>();
  useEffect(() => {
    const show = () => setOpen(true);
    const listen = (event: KeyboardEvent) => {
      if (event.key !== "?" || !isSingleKey(event)) return;
      event.preventDefault();
      show();
    };
    addEventListener("keydown", listen);
    addEventListener(SHOW_EVENT, show);
    return () => {
      removeEventListener("keydown", listen);
      removeEventListener(SHOW_EVENT, show);
    };
  }, []);
  return open === undefined ? null : <KeyboardDialog open={open} onOpenChange={setOpen} />;
}
