"use client";
import { useEffect, useState } from "react";

/** What is typed or pasted while the code of the palette is loading. */
export function useEarlyText(waiting: boolean): string {
  const [text, setText] = useState("");
  useEffect(() => {
    if (!waiting) return;
    setText("");
    const type = (event: KeyboardEvent) => {
      const isCharacter = event.key.length === 1 && !event.ctrlKey && !event.metaKey && !event.altKey;
      if (!isCharacter || event.defaultPrevented) return;
      event.preventDefault();
      setText((before) => before + event.key);
    };
    const paste = (event: ClipboardEvent) => {
      event.preventDefault();
      setText((before) => before + (event.clipboardData?.getData("text") ?? ""));
    };
    addEventListener("keydown", type);
    addEventListener("paste", paste);
    return () => {
      removeEventListener("keydown", type);
      removeEventListener("paste", paste);
    };
  }, [waiting]);
  return text;
}
