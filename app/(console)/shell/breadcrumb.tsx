"use client";
import { ChevronRight } from "lucide-react";
import Link from "next/link";
import { usePathname } from "next/navigation";
import { ROOMS } from "./rooms";

/** Pages within a room that are not named by an id or an address. */
const PAGE_NAMES: Record<string, string> = { "/batches/new": "New batch", "/access/audit": "Audit log" };

/** Where the page stands: its room, and what is open in it. */
export function Breadcrumb() {
  const pathname = usePathname();
  const room = ROOMS.find(({ path }) => pathname === path || pathname.startsWith(`${path}/`));
  if (!room) return <span className="min-w-0 flex-1" />;
  const last = pathname.slice(room.path.length).split("/").filter(Boolean).at(-1);
  return (
    <nav aria-label="Breadcrumb" className="min-w-0 flex-1">
      <ol className="flex min-w-0 items-center gap-1.5 text-table">
        <li className="shrink-0">
          {last ? (
            <Link href={room.path} className="rounded-badge text-muted hover:text-text">
              {room.name}
            </Link>
          ) : (
            <span aria-current="page" className="font-medium">
              {room.name}
            </span>
          )}
        </li>
        {last && (
          <li className="flex min-w-0 items-center gap-1.5">
            <ChevronRight aria-hidden size={14} className="shrink-0 text-muted" />
            {PAGE_NAMES[pathname] ? (
              <span aria-current="page" className="truncate font-medium">
                {PAGE_NAMES[pathname]}
              </span>
            ) : (
              <span aria-current="page" className="truncate font-mono text-mono">
                {decodeURIComponent(last)}
              </span>
            )}
          </li>
        )}
      </ol>
    </nav>
  );
}
