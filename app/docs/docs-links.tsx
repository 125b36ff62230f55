"use client";
import { usePathname } from "next/navigation";
import { classNames } from "../ui/class-names";

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
