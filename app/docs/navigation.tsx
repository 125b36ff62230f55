"use client";

import { ListTree } from "lucide-react";
import { usePathname } from "next/navigation";
import { type ReactNode, useState } from "react";
import { Button } from "@/app/ui/button";
import { classNames } from "@/app/ui/class-names";

export interface ContentsGroup {
  name: string;
  /** Each with its anchor on the page, and what is shown before its name, such as an HTTP method. */
  entries: { id: string; name: string; mark?: string }[];
}

/** A page beside its contents. */
export function DocsPage({ groups, children }: { groups: ContentsGroup[]; children: ReactNode }) {
  const [open, setOpen] = useState(false);
  return (
    <div className="lg:flex">
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
        <nav
          id="contents"
          aria-label="On this page"
          className={classNames(
            "flex-col gap-4 px-3 pb-6 max-lg:max-h-[70dvh] max-lg:overflow-y-auto lg:flex lg:pt-4",
            open ? "flex" : "hidden",
          )}
        >
          {groups.map(({ name, entries }) => (
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
      </div>
      <main id="main" tabIndex={-1} className="min-w-0 flex-1 px-4 pb-24 outline-none md:px-8">
        {children}
      </main>
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
