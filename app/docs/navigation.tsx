"use client";

import { clsx } from "clsx";
import { ListTree } from "lucide-react";
import { usePathname } from "next/navigation";
import { type ReactNode, useState } from "react";
import { Button } from "@/app/ui/button";
import { SearchButton } from "@/app/ui/search-button";

const loadPalette = () => import("./docs-palette").then((module) => module.DocsPalette);

export const DocsSearch = () => <SearchButton load={loadPalette} />;

interface Entry {
  href: string;
  name: string;
  /** Shown before the name, such as an HTTP method. */
  mark?: string;
  /** Of the page that is open. */
  sections?: Entry[];
}

export interface ContentsGroup {
  name: string;
  entries: Entry[];
}

interface DocsPageProps {
  button?: string;
  groups: ContentsGroup[];
  children: ReactNode;
}

export function DocsPage({ button = "On this page", groups, children }: DocsPageProps) {
  const [open, setOpen] = useState(false);
  return (
    <div className="lg:flex">
      <div
        className="sticky top-14 z-30 border-line bg-ground max-lg:border-b
          lg:h-[calc(100dvh-3.5rem)] lg:w-68 lg:shrink-0 lg:overflow-y-auto lg:border-r"
      >
        <Button
          variant="ghost"
          icon={ListTree}
          className="m-1.5 lg:hidden"
          aria-expanded={open}
          aria-controls="contents"
          onClick={() => setOpen(!open)}
        >
          {button}
        </Button>
        <nav
          id="contents"
          aria-label={button}
          className={clsx(
            "flex-col gap-4 px-3 pb-6 max-lg:max-h-[70dvh] max-lg:overflow-y-auto lg:flex lg:pt-4",
            open ? "flex" : "hidden",
          )}
        >
          {groups.map(({ name, entries }) => (
            <div key={name}>
              <h2 className="px-2 pb-1 font-medium hint">{name}</h2>
              <Entries entries={entries} onFollow={() => setOpen(false)} />
            </div>
          ))}
        </nav>
      </div>
      <main id="main" tabIndex={-1} className="min-w-0 flex-1 px-4 pb-24 outline-none md:px-8">
        {children}
      </main>
    </div>
  );
}

function Entries({ entries, onFollow }: { entries: Entry[]; onFollow: () => void }) {
  return (
    <ul className="flex flex-col gap-px">
      {entries.map(({ href, name, mark, sections }) => (
        <li key={href}>
          <a
            href={href}
            aria-current={sections && "page"}
            onClick={onFollow}
            className={clsx(
              "flex gap-2 rounded-control px-2 py-1 text-table outline-offset-0",
              "hover:bg-hover hover:text-text",
              sections ? "bg-hover font-medium text-text" : "text-muted",
            )}
          >
            {mark && <span className="w-11 shrink-0 font-mono text-[11px]/5">{mark}</span>}
            <span className="wraps">{name}</span>
          </a>
          {sections && sections.length > 0 && (
            <div className="mt-px mb-1 ml-3 border-line border-l pl-1.5">
              <Entries entries={sections} onFollow={onFollow} />
            </div>
          )}
        </li>
      ))}
    </ul>
  );
}

const LINK =
  "flex h-8 items-center rounded-control px-2.5 font-medium text-table hover:bg-hover hover:text-text";

/** The first one, beside the list of all. */
const GUIDES = "/docs/pay-many";

export function DocsLinks() {
  const pathname = usePathname();
  const isReference = pathname === "/docs" || pathname.startsWith("/docs/reference/");
  const current = isReference ? "/docs" : pathname === "/docs/errors" ? pathname : GUIDES;
  const link = (path: string, name: string) => (
    <a
      href={path}
      aria-current={current === path ? (path === pathname ? "page" : "true") : undefined}
      className={clsx(LINK, current === path ? "bg-hover text-text" : "text-muted")}
    >
      {name}
    </a>
  );
  return (
    <nav aria-label="Documentation" className="flex min-w-0 items-center gap-0.5 overflow-x-auto">
      {link("/docs", "Reference")}
      {link(GUIDES, "Guides")}
      {link("/docs/errors", "Errors")}
      {link("/v1/openapi.json", "OpenAPI")}
      {link("/batches", "Console")}
    </nav>
  );
}
