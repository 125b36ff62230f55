"use client";

import { ListTree, Search } from "lucide-react";
import { usePathname } from "next/navigation";
import { useEffect, useState } from "react";
import { Button } from "@/app/ui/button";
import { classNames } from "@/app/ui/class-names";
import { Input } from "@/app/ui/fields";

export interface ContentsEntry {
  /** The anchor on the page. */
  id: string;
  name: string;
  /** Shown before the name, such as an HTTP method. */
  mark?: string;
  /** Lower-case text to filter by. */
  searchText: string;
}

export interface ContentsGroup {
  name: string;
  entries: ContentsEntry[];
}

interface ContentsProps {
  /** Plural name of the entries: "operations". */
  what: string;
  groups: ContentsGroup[];
}

export function Contents({ what, groups }: ContentsProps) {
  const [text, setText] = useState("");
  const [open, setOpen] = useState(false);
  const here = useSectionInView(groups);
  useEffect(focusOnSlash, []);
  const wanted = text.toLowerCase().split(/\s+/).filter(Boolean);
  const shown = groups
    .map((group) => ({
      ...group,
      entries: group.entries.filter(({ searchText }) => wanted.every((word) => searchText.includes(word))),
    }))
    .filter(({ entries }) => entries.length > 0);
  return (
    <div className="sticky top-14 z-30 border-line bg-ground max-lg:border-b lg:h-[calc(100dvh-3.5rem)] lg:w-68 lg:shrink-0 lg:overflow-y-auto lg:border-r">
      <Button
        variant="ghost"
        icon={ListTree}
        className="m-1.5 lg:hidden"
        aria-expanded={open}
        aria-controls="contents"
        onClick={() => setOpen(!open)}
      >
        On this page
      </Button>
      <div
        id="contents"
        className={classNames(
          "flex-col gap-4 px-3 pb-6 max-lg:max-h-[70dvh] max-lg:overflow-y-auto lg:flex lg:pt-4",
          open ? "flex" : "hidden",
        )}
      >
        <div className="relative">
          <Search aria-hidden size={14} className="absolute top-2.5 left-2.5 text-muted" />
          <Input
            id="contents-filter"
            type="search"
            aria-label={`Filter ${what}`}
            aria-keyshortcuts="/"
            placeholder={`Filter ${what}`}
            value={text}
            onChange={(event) => setText(event.target.value)}
            className="h-8! pl-8 text-table!"
          />
        </div>
        <nav aria-label="On this page" className="flex flex-col gap-4">
          {shown.map(({ name, entries }) => (
            <div key={name}>
              <h2 className="px-2 pb-1 font-medium text-label text-muted">{name}</h2>
              <ul className="flex flex-col gap-px">
                {entries.map((entry) => (
                  <li key={entry.id}>
                    <Entry {...entry} isHere={here === entry.id} onGo={() => setOpen(false)} />
                  </li>
                ))}
              </ul>
            </div>
          ))}
        </nav>
        <p role="status" className="px-2 text-label text-muted">
          {shown.length === 0 && `No matching ${what}`}
        </p>
      </div>
    </div>
  );
}

function Entry({ id, name, mark, isHere, onGo }: ContentsEntry & { isHere: boolean; onGo: () => void }) {
  return (
    <a
      href={`#${id}`}
      onClick={onGo}
      aria-current={isHere ? "location" : undefined}
      className={classNames(
        "flex gap-2 rounded-control px-2 py-1 text-table outline-offset-0",
        isHere ? "bg-hover font-medium text-text" : "text-muted hover:bg-hover hover:text-text",
      )}
    >
      {mark && <span className="w-11 shrink-0 font-mono text-[11px]/5">{mark}</span>}
      <span className="wrap-anywhere min-w-0">{name}</span>
    </a>
  );
}

function focusOnSlash(): () => void {
  const listen = (event: KeyboardEvent) => {
    const isTyping = event.target instanceof Element && event.target.closest("input, textarea, select");
    if (event.key !== "/" || event.ctrlKey || event.metaKey || event.altKey || isTyping) return;
    event.preventDefault();
    document.getElementById("contents-filter")?.focus();
  };
  addEventListener("keydown", listen);
  return () => removeEventListener("keydown", listen);
}

/** Just below the sticky header. */
const LINE_PX = 190;
/** Sections that start this close are side by side: the first one counts. */
const NEAR_PX = 24;

/** The last section that starts above the line. */
function sectionAt(ids: string[]): string | undefined {
  let here = ids[0];
  let hereTop = -Infinity;
  for (const id of ids) {
    const top = document.getElementById(id)?.getBoundingClientRect().top ?? Infinity;
    if (top > LINE_PX || top < hereTop + NEAR_PX) continue;
    here = id;
    hereTop = top;
  }
  return here;
}

function useSectionInView(groups: readonly { entries: readonly { id: string }[] }[]): string | undefined {
  const [here, setHere] = useState<string>();
  useEffect(() => {
    const ids = groups.flatMap(({ entries }) => entries.map(({ id }) => id));
    let frame = 0;
    const look = () => {
      frame = 0;
      setHere(sectionAt(ids));
    };
    const later = () => {
      frame ||= requestAnimationFrame(look);
    };
    look();
    addEventListener("scroll", later, { passive: true });
    addEventListener("resize", later);
    return () => {
      removeEventListener("scroll", later);
      removeEventListener("resize", later);
      cancelAnimationFrame(frame);
    };
  }, [groups]);
  return here;
}

const LINK =
  "flex h-8 items-center rounded-control px-2.5 font-medium text-table hover:bg-hover hover:text-text";

export function DocsLinks() {
  const pathname = usePathname();
  const page = (path: string, name: string) => (
    <a
      href={path}
      aria-current={pathname === path ? "page" : undefined}
      className={classNames(LINK, pathname === path ? "bg-hover text-text" : "text-muted")}
    >
      {name}
    </a>
  );
  return (
    <nav aria-label="Documentation" className="flex min-w-0 items-center gap-0.5 overflow-x-auto">
      {page("/docs", "Reference")}
      {page("/docs/errors", "Errors")}
      <a href="/v1/openapi.json" className={classNames(LINK, "text-muted")}>
        OpenAPI
      </a>
      <a href="/batches" className={classNames(LINK, "text-muted")}>
        Console
      </a>
    </nav>
  );
}
