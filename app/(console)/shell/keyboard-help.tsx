"use client";
import dynamic from "next/dynamic";
import { useEffect, useState } from "react";

const KeyboardDialog = dynamic(() => import("./keyboard-dialog").then((module) => module.KeyboardDialog), {
  ssr: false,
});

const SHOW_EVENT = "keyboard-help";

/** Where `?` is text, or a dialog or menu is open. */
const TAKEN =
  "input, textarea, select, [contenteditable=true], [role=dialog], [role=alertdialog], [role=menu]";

const FRAMES_MAX = 30;

/** Waits until the menu or search has returned the focus, so that the dialog returns it to the same place. */
export function showKeys(): void {
  const look = (framesLeft: number) => {
    const { activeElement: focused, body } = document;
    const waits = focused === null || focused === body || focused.closest(TAKEN);
    if (waits && framesLeft > 0) requestAnimationFrame(() => look(framesLeft - 1));
    else dispatchEvent(new Event(SHOW_EVENT));
  };
  requestAnimationFrame(() => look(FRAMES_MAX));
}

const asksForKeys = ({ key, ctrlKey, metaKey, altKey, target }: KeyboardEvent) =>
  key === "?" && !ctrlKey && !metaKey && !altKey && !(target instanceof Element && target.closest(TAKEN));

export function KeyboardHelp() {
  const [open, setOpen] = useState<boolean>();
  useEffect(() => {
    const show = () => setOpen(true);
    const listen = (event: KeyboardEvent) => {
      if (event.defaultPrevented || !asksForKeys(event)) return;
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
