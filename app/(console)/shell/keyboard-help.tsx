"use client";
import { useEffect, useState } from "react";
import { afterOverlay, isSingleKey, useWindowEvent } from "@/app/ui/hooks";
import { later } from "@/app/ui/later";

const KeyboardDialog = later(() => import("./keyboard-dialog"));

const SHOW_EVENT = "keyboard-help";

export const showKeys = (): void => afterOverlay(() => dispatchEvent(new Event(SHOW_EVENT)));

export function KeyboardHelp() {
  const [open, setOpen] = useState(false);
  useWindowEvent("keydown", (event) => {
    if (event.key !== "?" || !isSingleKey(event)) return;
    event.preventDefault();
    setOpen(true);
  });
  useEffect(() => {
    const show = () => setOpen(true);
    addEventListener(SHOW_EVENT, show);
    return () => removeEventListener(SHOW_EVENT, show);
  }, []);
  return open && <KeyboardDialog close={() => setOpen(false)} />;
}
