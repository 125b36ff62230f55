"use client";

import { Popover as Base } from "@base-ui/react/popover";
import { Check } from "lucide-react";
import { type KeyboardEvent, type ReactElement, type ReactNode, useState } from "react";
import { formatCount } from "@/app/ui/amount";
import { Input } from "@/app/ui/fields";
import { takeFocus } from "@/app/ui/hooks";
import { Skeleton } from "@/app/ui/states";

interface PopoverProps {
  trigger: ReactElement;
  title: string;
  open?: boolean;
  onOpenChange?: (open: boolean) => void;
  children: ReactNode;
}

export default function Popover({ trigger, title, open, onOpenChange, children }: PopoverProps) {
  return (
    <Base.Root open={open} onOpenChange={onOpenChange}>
      <Base.Trigger render={trigger} />
      <Base.Portal>
        <Base.Positioner align="start" sideOffset={6} collisionPadding={12} className="z-50 outline-none">
          <Base.Popup
            className="overlay max-h-(--available-height) max-w-[calc(100vw-24px)]
              overflow-y-auto p-3"
          >
            <Base.Title className="mb-2 font-medium hint">{title}</Base.Title>
            {children}
          </Base.Popup>
        </Base.Positioner>
      </Base.Portal>
    </Base.Root>
  );
}

const SHOWN_MAX = 50;

interface Option {
  value: string;
  /** What the search looks in. */
  text: string;
  label: ReactNode;
  detail?: ReactNode;
}

interface SearchListProps {
  label: string;
  placeholder: string;
  isPending?: boolean;
  error?: string | false;
  /** @param search the trimmed text of the field, for an option that the text itself names */
  options: (search: string) => readonly Option[];
  chosen?: string;
  onChoose: (value: string) => void;
}

/** Takes the focus. Enter chooses the first option; the arrow keys move between the field and the list. */
export function SearchList(props: SearchListProps) {
  const { label, placeholder, isPending, error, options, chosen, onChoose } = props;
  const [search, setSearch] = useState("");
  const wanted = search.trim();
  const found = options(wanted).filter(({ text }) => text.toLowerCase().includes(wanted.toLowerCase()));
  const step = (event: KeyboardEvent<HTMLDivElement>) => {
    if (event.key !== "ArrowDown" && event.key !== "ArrowUp") return;
    event.preventDefault();
    const all = [...event.currentTarget.querySelectorAll<HTMLElement>("input, button")];
    const at = all.indexOf(document.activeElement as HTMLElement) + (event.key === "ArrowDown" ? 1 : -1);
    all[Math.min(Math.max(at, 0), all.length - 1)]?.focus();
  };
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: the keys only move the focus between controls
    <div className="flex w-80 max-w-full flex-col gap-2" onKeyDown={step}>
      <Input
        ref={takeFocus}
        aria-label={label}
        placeholder={placeholder}
        value={search}
        onChange={(event) => setSearch(event.target.value)}
        onKeyDown={(event) => {
          if (event.key === "Enter" && wanted && found[0]) onChoose(found[0].value);
        }}
      />
      <div className="flex max-h-64 flex-col overflow-y-auto">
        {isPending && <Skeleton className="m-2 h-4 w-40" />}
        {error && <p className="p-2 text-danger text-label">{error}</p>}
        {!isPending && !error && found.length === 0 && <p className="p-2 hint">No results</p>}
        {found.slice(0, SHOWN_MAX).map(({ value, label, detail }) => (
          <button
            key={value}
            type="button"
            title={value}
            aria-pressed={chosen === undefined ? undefined : value === chosen}
            onClick={() => onChoose(value)}
            className="choice shrink-0 justify-between gap-3 text-left hover:bg-hover"
          >
            {chosen !== undefined && (
              <span aria-hidden className="size-3.5 shrink-0 text-accent">
                {value === chosen && <Check size={14} />}
              </span>
            )}
            <span className="flex-1 truncate">{label}</span>
            {detail && <span className="shrink-0 mono text-muted">{detail}</span>}
          </button>
        ))}
        {found.length > SHOWN_MAX && (
          <p className="p-2 hint">{formatCount(found.length - SHOWN_MAX)} more. Type to narrow the list.</p>
        )}
      </div>
    </div>
  );
}
