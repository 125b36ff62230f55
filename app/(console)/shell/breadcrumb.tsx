"use client";
import { useQuery } from "@tanstack/react-query";
import { ChevronRight } from "lucide-react";
import { usePathname } from "next/navigation";
import { useTRPC } from "../../data/trpc";
import { classNames } from "../../ui/class-names";
import { shortenHash } from "../../ui/hash-text";
import { HoverPrefetchLink } from "../../ui/hover-prefetch-link";
import { ROOMS } from "./rooms";

/** Other pages are named by their ID or address. */
const PAGE_NAMES: Record<string, string> = {
  "/batches/new": "New batch",
  "/batches/jobs": "Bulk jobs",
  "/access/audit": "Audit log",
};

const PARTS_OF_CONTRACT: Record<string, string> = { webhooks: "Webhooks", statements: "Statements" };

interface Crumb {
  name: string;
  path?: string;
  isId?: boolean;
  /** What it is the address of, which may have a label. */
  labelled?: "contract" | "recipient";
}

export function crumbsOf(pathname: string): Crumb[] {
  const room = ROOMS.find(({ path }) => pathname === path || pathname.startsWith(`${path}/`));
  if (!room) return pathname === "/profile" ? [{ name: "Your profile" }] : [];
  const [first, second, third] = pathname.slice(room.path.length).split("/").filter(Boolean);
  if (!first) return [{ name: room.name }];
  const home = { name: room.name, path: room.path };
  const part = second && PARTS_OF_CONTRACT[second];
  if (room.path === "/contracts" && part)
    return [
      home,
      { name: shortenHash(first), path: `/contracts/${first}`, isId: true, labelled: "contract" },
      { name: part },
    ];
  if (room.path === "/batches" && first === "jobs" && second)
    return [home, { name: "Bulk jobs", path: "/batches/jobs" }, { name: second, isId: true }];
  const name = PAGE_NAMES[pathname];
  if (name) return [home, { name }];
  if (room.path === "/batches" && second)
    return [
      home,
      { name: shortenHash(first), path: `/batches?contract=${first}`, isId: true, labelled: "contract" },
      {
        name: decoded(second),
        isId: true,
        ...(third === "compare" && { path: `/batches/${first}/${second}` }),
      },
      ...(third === "compare" ? [{ name: "Compare" }] : []),
    ];
  const kind = room.path === "/contracts" ? "contract" : room.path === "/recipients" ? "recipient" : null;
  return [home, { name: decoded(second ?? first), isId: true, ...(kind && { labelled: kind }) }];
}

/** A path that cannot be decoded leads to a page that is not found. */
function decoded(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}

/** The label that the page has read. The breadcrumb itself asks for nothing. */
function useLabel(pathname: string): string | null {
  const { contracts, batches, recipients } = useTRPC().console;
  const [room, first = "", second = ""] = pathname.split("/").filter(Boolean);
  const off = { enabled: false };
  const contract = useQuery(contracts.get.queryOptions({ contractAddress: first }, off)).data;
  const batchKey = { contractAddress: first, batchId: decoded(second) };
  const batch = useQuery(batches.get.queryOptions(batchKey, off)).data;
  const recipient = useQuery(recipients.get.queryOptions({ address: first }, off)).data;
  if (room === "contracts") return contract?.label ?? null;
  if (room === "batches") return batch?.contractLabel ?? null;
  return recipient?.contractLabel ?? recipient?.label ?? null;
}

export function Breadcrumb() {
  const pathname = usePathname();
  const label = useLabel(pathname);
  const crumbs = crumbsOf(pathname).map((crumb) =>
    crumb.labelled && label
      ? { ...crumb, name: label, isId: false, title: crumb.name }
      : { ...crumb, title: undefined },
  );
  return (
    <nav aria-label="Breadcrumb" className="min-w-0 flex-1">
      <ol className="flex min-w-0 items-center gap-1.5 text-table">
        {crumbs.map(({ name, path, isId, labelled, title }, place) => (
          <li
            key={name}
            className={classNames(
              "flex items-center gap-1.5",
              // Names of pages are short, IDs and labels may not be.
              isId || labelled ? "min-w-0" : "shrink-0",
              // A phone has no room for the one in the middle.
              labelled && path && "max-sm:hidden",
            )}
          >
            {place > 0 && <ChevronRight aria-hidden size={14} className="shrink-0 text-muted" />}
            {path ? (
              <HoverPrefetchLink
                href={path}
                title={title}
                className={classNames(
                  "truncate rounded-badge text-muted hover:text-text",
                  isId && "font-mono",
                )}
              >
                {name}
              </HoverPrefetchLink>
            ) : (
              <span
                aria-current="page"
                title={title}
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
