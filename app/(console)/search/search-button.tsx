"use client";
import { Search } from "lucide-react";
import { type Dispatch, type SetStateAction, useEffect, useEffectEvent, useState } from "react";
import { buttonLook } from "@/app/ui/button-look";
import { classNames } from "@/app/ui/class-names";
import { isSingleKey } from "../../ui/shortcut";

const loadPalette = () => import("./palette").then((module) => module.Palette);

/** Ctrl-K or ⌘K anywhere, or `/`. */
function asksForSearch(event: KeyboardEvent): boolean {
  if (event.key === "/") return isSingleKey(event);
  return (
    (event.ctrlKey || event.metaKey) && !event.altKey && !event.shiftKey && event.key.toLowerCase() === "k"
  );
}

/** The code of the palette is loaded on first use. */
export function SearchButton() {
  const [Palette, setPalette] = useState<typeof import("./palette").Palette>();
  const [open, setOpen] = useState(false);
  const [early, setEarly] = useState("");
  const change = (next: boolean) => {
    setOpen(next);
    setEarly("");
  };
  useEarlyText(open && !Palette, setEarly);
  const toggle = useEffectEvent(() => change(!open));
  useEffect(() => {
    const listen = (event: KeyboardEvent) => {
      if (event.defaultPrevented || !asksForSearch(event)) return;
      event.preventDefault();
      toggle();
    };
    addEventListener("keydown", listen);
    return () => removeEventListener("keydown", listen);
  }, []);
  useEffect(() => {
    if (open) void loadPalette().then((loaded) => setPalette(() => loaded));
  }, [open]);
  return (
    <>
      <button
        type="button"
        aria-label="Search"
        aria-haspopup="dialog"
        aria-expanded={open}
        aria-keyshortcuts="Control+K Meta+K /"
        className={classNames(
          buttonLook({ variant: "secondary" }),
          "max-lg:w-8 max-lg:justify-center max-lg:border-transparent max-lg:bg-transparent max-lg:px-0",
        )}
        onPointerEnter={() => void loadPalette()}
        onClick={() => change(true)}
      >
        <Search aria-hidden size={14} className="text-muted" />
        <span className="text-muted max-lg:hidden">Search</span>
        <kbd
          aria-hidden
          className="ml-6 rounded-badge border border-line px-1 font-mono text-[11px]/4 text-muted max-lg:hidden"
        >
          /
        </kbd>
      </button>
      {open && Palette && <Palette onOpenChange={change} early={early} />}
    </>
  );
}

/** Keeps what is typed or pasted while the code of the palette is loading. */
function useEarlyText(waiting: boolean, setText: Dispatch<SetStateAction<string>>): void {
  useEffect(() => {
    if (!waiting) return;
    const add = (event: Event, text: string) => {
      event.preventDefault();
      setText((before) => before + text);
    };
    const type = (event: KeyboardEvent) => {
      const isCharacter = event.key.length === 1 && !event.ctrlKey && !event.metaKey && !event.altKey;
      if (isCharacter && !event.defaultPrevented) add(event, event.key);
    };
    const paste = (event: ClipboardEvent) => add(event, event.clipboardData?.getData("text") ?? "");
    addEventListener("keydown", type);
    addEventListener("paste", paste);
    return () => {
      removeEventListener("keydown", type);
      removeEventListener("paste", paste);
    };
  }, [waiting, setText]);
}
