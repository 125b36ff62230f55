"use client";
import { Dialog } from "@base-ui/react/dialog";
import { Command } from "cmdk";
import { Search } from "lucide-react";
import { useEffect, useRef, useState } from "react";
import { PaletteBody } from "./palette-body";

interface PaletteProps {
  open: boolean;
  onOpenChange: (open: boolean) => void;
  /** Typed while this code was loading; the initial text the first time. */
  early: string;
}

export function Palette({ open, onOpenChange, early }: PaletteProps) {
  const input = useRef<HTMLInputElement>(null);
  const [wasOpen, setWasOpen] = useState(open);
  const [times, setTimes] = useState(0);
  if (open !== wasOpen) {
    setWasOpen(open);
    if (open) setTimes(times + 1);
  }
  // Reopened during the closing animation, it is the same dialog, which does not take the focus again.
  useEffect(() => {
    if (times > 0) input.current?.focus();
  }, [times]);
  return (
    <Dialog.Root open={open} onOpenChange={onOpenChange}>
      <Dialog.Portal>
        <Dialog.Backdrop className="overlay-motion fixed inset-0 z-40 bg-black/40" />
        <Dialog.Popup
          initialFocus={input}
          className="overlay-motion -translate-x-1/2 fixed top-[12vh] left-1/2 z-50 flex max-h-[min(480px,76dvh)] w-[640px] max-w-[calc(100vw-24px)] flex-col overflow-hidden rounded-card border border-line bg-raised shadow-overlay outline-none data-starting-style:scale-[0.98] max-sm:top-3 max-sm:max-h-[calc(100dvh-24px)]"
        >
          <Dialog.Title className="sr-only">Search</Dialog.Title>
          <Contents
            key={times}
            input={input}
            early={times === 0 ? early : ""}
            onClose={() => onOpenChange(false)}
          />
        </Dialog.Popup>
      </Dialog.Portal>
    </Dialog.Root>
  );
}

function Contents({
  input,
  early,
  onClose,
}: {
  input: React.RefObject<HTMLInputElement | null>;
  early: string;
  onClose: () => void;
}) {
  const [text, setText] = useState(early);
  const [selected, setSelected] = useState("");
  return (
    <Command
      label="Search"
      shouldFilter={false}
      vimBindings={false}
      loop
      value={selected}
      onValueChange={setSelected}
      className="flex min-h-0 flex-col"
    >
      <div className="flex items-center gap-2.5 border-line border-b px-4">
        <Search aria-hidden size={16} className="shrink-0 text-muted" />
        <Command.Input
          ref={input}
          value={text}
          onValueChange={setText}
          placeholder="Search batches, contracts, addresses and actions"
          className="h-12 min-w-0 flex-1 bg-transparent text-body outline-none max-sm:text-base"
        />
        <Dialog.Close className="rounded-badge border border-line px-1.5 text-[11px]/5 text-muted hover:bg-hover">
          <span aria-hidden>
            <span className="max-sm:hidden">Esc</span>
            <span className="sm:hidden">Close</span>
          </span>
          <span className="sr-only">Close search</span>
        </Dialog.Close>
      </div>
      <PaletteBody text={text} onSelect={setSelected} onClose={onClose} />
    </Command>
  );
}
