"use client";
import { ChevronRight } from "lucide-react";
import Link from "next/link";
import { usePathname } from "next/navigation";
import { classNames } from "../../ui/class-names";
import { shortenHash } from "../../ui/hash-text";
import { ROOMS } from "./rooms";

/** Other pages are named by their ID or address. */
const PAGE_NAMES: Record<string, string> = { "/batches/new": "New batch", "/access/audit": "Audit log" };

interface Crumb {
  name: string;
  path?: string;
  isId?: boolean;
}

export function crumbsOf(pathname: string): Crumb[] {
  const room = ROOMS.find(({ path }) => pathname === path || pathname.startsWith(`${path}/`));
  if (!room) return pathname === "/profile" ? [{ name: "Your profile" }] : [];
  const [first, second] = pathname.slice(room.path.length).split("/").filter(Boolean);
  if (!first) return [{ name: room.name }];
  const home = { name: room.name, path: room.path };
  if (room.path === "/contracts" && second === "webhooks")
    return [
      home,
      { name: shortenHash(first), path: `/contracts/${first}`, isId: true },
      { name: "Webhooks" },
    ];
  const name = PAGE_NAMES[pathname];
  return [home, name ? { name } : { name: decodeURIComponent(second ?? first), isId: true }];
}

export function Breadcrumb() {
  const crumbs = crumbsOf(usePathname());
  return (
    <nav aria-label="Breadcrumb" className="min-w-0 flex-1">
      <ol className="flex min-w-0 items-center gap-1.5 text-table">
        {crumbs.map(({ name, path, isId }, place) => (
          <li
            key={name}
            className={classNames("flex items-center gap-1.5", path && !isId ? "shrink-0" : "min-w-0")}
          >
            {place > 0 && <ChevronRight aria-hidden size={14} className="shrink-0 text-muted" />}
            {path ? (
              <Link
                href={path}
                className={classNames(
                  "truncate rounded-badge text-muted hover:text-text",
                  isId && "font-mono",
                )}
              >
                {name}
              </Link>
            ) : (
              <span
                aria-current="page"
                className={classNames("truncate", isId ? "font-mono text-mono" : "font-medium")}
              >
                {name}
              </span>
            )}
          </li>
        ))}
      </ol>
    </nav>
  );
}
