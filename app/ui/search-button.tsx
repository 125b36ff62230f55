"use client";
import { Search } from "lucide-react";
import { type ComponentType, useEffect, useState } from "react";
import { Button } from "./button";
import { isSingleKey, useWindowEvent } from "./hooks";

export interface PaletteProps {
  onOpenChange: (open: boolean) => void;
  text: string;
  onText: (text: string) => void;
}

/** Ctrl-K or ⌘K anywhere, or `/`. */
function asksForSearch(event: KeyboardEvent): boolean {
  if (event.key === "/") return isSingleKey(event);
  return (
    (event.ctrlKey || event.metaKey) && !event.altKey && !event.shiftKey && event.key.toLowerCase() === "k"
  );
}

const isCharacter = ({ key, ctrlKey, metaKey, altKey }: KeyboardEvent) =>
  key.length === 1 && !ctrlKey && !metaKey && !altKey;

export function SearchButton({ load }: { load: () => Promise<ComponentType<PaletteProps>> }) {
  const [Palette, setPalette] = useState<ComponentType<PaletteProps>>();
  const [open, setOpen] = useState(false);
  const [text, setText] = useState("");
  /** While the code is loading, and until the palette has the focus. */
  const isEarly = ({ target }: Event) =>
    open && !(target instanceof Element && target.closest("[role=dialog]"));
  const change = (next: boolean) => {
    setOpen(next);
    setText("");
  };
  useWindowEvent("keydown", (event) => {
    if (event.defaultPrevented) return;
    if (asksForSearch(event)) change(!open);
    else if (isEarly(event) && isCharacter(event)) setText((typed) => typed + event.key);
    else return;
    event.preventDefault();
  });
  useWindowEvent("paste", (event) => {
    if (!isEarly(event)) return;
    event.preventDefault();
    setText((typed) => typed + (event.clipboardData?.getData("text") ?? ""));
  });
  useEffect(() => {
    if (open) void load().then((loaded) => setPalette(() => loaded));
  }, [open, load]);
  return (
    <>
      <Button
        icon={Search}
        aria-label="Search"
        aria-haspopup="dialog"
        aria-expanded={open}
        aria-keyshortcuts="Control+K Meta+K /"
        className="max-lg:w-8 max-lg:justify-center max-lg:border-transparent
          max-lg:bg-transparent max-lg:px-0"
        onPointerEnter={() => void load()}
        onClick={() => change(true)}
      >
        <span className="text-muted max-lg:hidden">Search</span>
        <kbd aria-hidden className="key ml-6 max-lg:hidden">
          /
        </kbd>
      </Button>
      {open && Palette && <Palette onOpenChange={change} text={text} onText={setText} />}
    </>
  );
}
