"use client";

import { ListTree, Search } from "lucide-react";
import { usePathname } from "next/navigation";
import { type ReactNode, useRef, useState } from "react";
import { Button } from "@/app/ui/button";
import { classNames } from "@/app/ui/class-names";
import { Input } from "@/app/ui/fields";
import { isSingleKey, useWindowEvent } from "@/app/ui/hooks";

interface ContentsEntry {
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

interface DocsPageProps {
  /** Plural name of the entries: "operations". */
  what: string;
  groups: ContentsGroup[];
  children: ReactNode;
}

/** A page beside its contents. */
export const DocsPage = ({ what, groups, children }: DocsPageProps) => (
  <div className="lg:flex">
    <Contents what={what} groups={groups} />
    <main id="main" tabIndex={-1} className="min-w-0 flex-1 px-4 pb-24 outline-none md:px-8">
      {children}
    </main>
  </div>
);

function Contents({ what, groups }: Omit<DocsPageProps, "children">) {
  const [text, setText] = useState("");
  const [open, setOpen] = useState(false);
  const field = useRef<HTMLInputElement>(null);
  useWindowEvent("keydown", (event) => {
    if (event.key !== "/" || !isSingleKey(event)) return;
    event.preventDefault();
    field.current?.focus();
  });
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
            ref={field}
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
                {entries.map(({ id, name: title, mark }) => (
                  <li key={id}>
                    <a
                      href={`#${id}`}
                      onClick={() => setOpen(false)}
                      className="flex gap-2 rounded-control px-2 py-1 text-muted text-table outline-offset-0 hover:bg-hover hover:text-text"
                    >
                      {mark && <span className="w-11 shrink-0 font-mono text-[11px]/5">{mark}</span>}
                      <span className="wrap-anywhere min-w-0">{title}</span>
                    </a>
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

const LINK =
  "flex h-8 items-center rounded-control px-2.5 font-medium text-table hover:bg-hover hover:text-text";

export function DocsLinks() {
  const pathname = usePathname();
  const link = (path: string, name: string) => (
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
      {link("/docs", "Reference")}
      {link("/docs/errors", "Errors")}
      {link("/v1/openapi.json", "OpenAPI")}
      {link("/batches", "Console")}
    </nav>
  );
}
