"use client";
import { Check } from "lucide-react";
import { type ReactElement, useRef, useState } from "react";
import { Input } from "@/app/ui/field";
import { Popover } from "@/app/ui/popover";
import { useTimeZone } from "@/app/ui/time-zone";
import { isTimeZone } from "@/server/kernel/values/batch-terms";

const SHOWN_MAX = 60;

export function ZonePanel({ trigger }: { trigger: ReactElement }) {
  const [open, setOpen] = useState(true);
  return (
    <Popover title="Show times in" open={open} onOpenChange={setOpen} trigger={trigger}>
      <ZoneChoices close={() => setOpen(false)} />
    </Popover>
  );
}

/** Every time zone that the browser supports. The arrow keys move between the search and the list. */
function ZoneChoices({ close }: { close: () => void }) {
  const { zone, defaultZone, setZone } = useTimeZone();
  const [search, setSearch] = useState("");
  const list = useRef<HTMLDivElement>(null);
  const browserZone = Intl.DateTimeFormat().resolvedOptions().timeZone;
  const found = findZones(search, [zone, "UTC", defaultZone, browserZone]);
  const notes: Record<string, string> = { [defaultZone]: "default", [browserZone]: "this browser" };
  const choose = (next: string) => {
    setZone(next);
    close();
  };
  const buttons = () => [...(list.current?.querySelectorAll("button") ?? [])];
  const step = (by: 1 | -1) => {
    const all = buttons();
    const at = all.indexOf(document.activeElement as HTMLButtonElement);
    all[Math.min(Math.max(at + by, 0), all.length - 1)]?.focus();
  };
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: the keys only move the focus between controls
    <div
      className="flex w-72 max-w-full flex-col gap-2"
      onKeyDown={(event) => {
        if (event.key !== "ArrowDown" && event.key !== "ArrowUp") return;
        event.preventDefault();
        step(event.key === "ArrowDown" ? 1 : -1);
      }}
    >
      <Input
        autoFocus
        aria-label="Search time zones"
        placeholder="City or region, such as Kathmandu"
        value={search}
        onChange={({ target }) => setSearch(target.value)}
        onKeyDown={(event) => {
          if (event.key === "Enter" && found[0]) choose(found[0]);
        }}
      />
      <div ref={list} className="flex max-h-72 flex-col overflow-y-auto">
        {found.length === 0 && <p className="p-2 text-label text-muted">No results</p>}
        {found.slice(0, SHOWN_MAX).map((each) => (
          <button
            key={each}
            type="button"
            aria-pressed={each === zone}
            onClick={() => choose(each)}
            className="flex min-h-8 shrink-0 items-center gap-2 rounded-control px-2 text-left text-table -outline-offset-2 hover:bg-hover"
          >
            <span aria-hidden className="flex size-4 items-center justify-center text-accent">
              {each === zone && <Check size={14} />}
            </span>
            <span className="truncate">{each.replaceAll("_", " ")}</span>
            {notes[each] && <span className="ml-auto shrink-0 text-label text-muted">{notes[each]}</span>}
          </button>
        ))}
        {found.length > SHOWN_MAX && (
          <p className="p-2 text-label text-muted">
            {found.length - SHOWN_MAX} more. Type to narrow the list.
          </p>
        )}
      </div>
    </div>
  );
}

/** Compares names without letter case; `New York` finds `America/New_York`. */
const plain = (text: string) =>
  text
    .trim()
    .toLowerCase()
    .replaceAll(/[\s_]+/g, " ");

/**
 * The matching IANA zones, `first` ones first. Browsers list one name per zone. Others that they accept, such as
 * `Asia/Katmandu`, are found by their whole name.
 */
export function findZones(search: string, first: readonly string[]): string[] {
  const wanted = plain(search);
  const all = new Set([...first, ...Intl.supportedValuesOf("timeZone")]);
  const found = [...all].filter((zone) => plain(zone).includes(wanted));
  if (found.length > 0 || !wanted) return found;
  const typed = search.trim().replaceAll(/\s+/g, "_");
  return isTimeZone(typed) ? [typed] : [];
}
