"use client";
import dynamic from "next/dynamic";
import { useEffect, useState } from "react";

const KeyboardDialog = dynamic(() => import("./keyboard-dialog").then((module) => module.KeyboardDialog), {
  ssr: false,
});

const ASKED = "keyboard-help";

/** Where `?` is a letter, or a question waits for its answer. */
const TAKEN =
  "input, textarea, select, [contenteditable=true], [role=dialog], [role=alertdialog], [role=menu]";

const FRAMES_MAX = 30;

/** Opens the list of keys once the menu or the search that offers it has given the focus back: there it goes again after. */
export function showKeys(): void {
  const look = (framesLeft: number) => {
    const { activeElement: focused, body } = document;
    const waits = focused === null || focused === body || focused.closest(TAKEN);
    if (waits && framesLeft > 0) requestAnimationFrame(() => look(framesLeft - 1));
    else dispatchEvent(new Event(ASKED));
  };
  requestAnimationFrame(() => look(FRAMES_MAX));
}

const asksForKeys = ({ key, ctrlKey, metaKey, altKey, target }: KeyboardEvent) =>
  key === "?" && !ctrlKey && !metaKey && !altKey && !(target instanceof Element && target.closest(TAKEN));

/** Shows the keys of the console when `?` is pressed. */
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
    addEventListener(ASKED, show);
    return () => {
      removeEventListener("keydown", listen);
      removeEventListener(ASKED, show);
    };
  }, []);
  return open === undefined ? null : <KeyboardDialog open={open} onOpenChange={setOpen} />;
}
