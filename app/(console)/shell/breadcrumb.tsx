"use client";
import { notifyManager, useQueryClient } from "@tanstack/react-query";
import { clsx } from "clsx";
import { ChevronRight } from "lucide-react";
import { usePathname } from "next/navigation";
import { useSyncExternalStore } from "react";
import { HoverPrefetchLink, inSection, isWithin, NAV_ITEMS } from "@/app/(console)/shell/sidebar";
import { useTRPC } from "@/app/data/trpc";
import { shortenHash } from "@/app/ui/hash-text";
import { decoded } from "@/terms/output-text";

interface Crumb {
  name: string;
  path?: string;
  isId?: boolean;
  /** It may have a label, or a name. */
  labelled?: boolean;
  /** Its ID, where the label is its name. */
  title?: string;
}

const PAGES: Record<string, string> = {
  "/access/audit": "Audit log",
  "/batches/new": "New payout",
  "/contracts/statements": "Statements",
  "/snapshots/new": "New allocation",
};

/** Pages without a name of their own have that of their ID or address. */
function crumbsOf(pathname: string): Crumb[] {
  const section = NAV_ITEMS.find(({ path }) => isWithin(pathname, path));
  if (!section) return pathname === "/profile" ? [{ name: "Your profile" }] : [];
  const { name, path } = section;
  // Allocations are listed with their snapshots.
  const within = inSection(pathname)
    .slice(path.length)
    .replace(/^\/allocations\//, "/");
  const parts = within.split("/").filter(Boolean);
  const crumbs = parts.map((part, index): Crumb => {
    const isLast = index === parts.length - 1;
    const page = PAGES[index === 0 ? `${path}/${part}` : `${path}/*/${part}`];
    // The tabs of a contract, and its statements.
    if (path === "/contracts" && index > 0)
      return { name: part.replace(/^./, (first) => first.toUpperCase()) };
    if (page) return { name: page, ...(!isLast && { path: `${path}/${part}` }) };
    if (isLast) return { name: decoded(part), isId: true, labelled: index === 0 && path !== "/batches" };
    const contract = path === "/batches" ? `/batches?contract=${part}` : `${path}/${part}`;
    return { name: shortenHash(part), path: contract, isId: true, labelled: true };
  });
  return [{ name, ...(parts.length > 0 && { path }) }, ...crumbs];
}

/** Without a query of its own: it would keep the first paint from using what the server has read. */
function useLabel(pathname: string): string | null {
  const { contracts, batches, payouts, recipients, allocations } = useTRPC().console;
  const client = useQueryClient();
  const subscribe = (changed: () => void) =>
    client.getQueryCache().subscribe(notifyManager.batchCalls(changed));
  const [section, first = "", second = ""] = pathname.split("/").filter(Boolean);
  const read = (): string | null | undefined => {
    if (section === "contracts")
      return client.getQueryData(contracts.get.queryKey({ contractAddress: first }))?.label;
    const [contractAddress, id] = [first, decoded(second)];
    if (section === "payouts")
      return client.getQueryData(payouts.get.queryKey({ contractAddress, payoutId: id }))?.contractLabel;
    if (section === "batches")
      return client.getQueryData(batches.get.queryKey({ contractAddress, batchId: id }))?.contractLabel;
    if (first === "allocations")
      return client.getQueryData(allocations.get.queryKey({ allocationId: second }))?.name;
    const recipient = client.getQueryData(recipients.get.queryKey({ address: first }));
    return recipient?.contractLabel ?? recipient?.label;
  };
  return useSyncExternalStore(subscribe, read, () => null) ?? null;
}

/** @param loaded the label of the first page, which the server has drawn */
export function Breadcrumb({ loaded }: { loaded: { pathname: string; label: string | null } }) {
  const pathname = usePathname();
  const read = useLabel(pathname);
  const label = read ?? (loaded.pathname === pathname ? loaded.label : null);
  const crumbs = crumbsOf(pathname).map((crumb) =>
    crumb.labelled && label ? { ...crumb, name: label, isId: false, title: crumb.name } : crumb,
  );
  return (
    <nav aria-label="Breadcrumb" className="min-w-0 flex-1">
      <ol className="flex min-w-0 items-center gap-1.5 text-table">
        {crumbs.map(({ name, path, isId, labelled, title }, index) => (
          <li
            key={name}
            className={clsx(
              "flex items-center gap-1.5",
              // Page names are short; IDs and labels may be long.
              isId || labelled ? "min-w-0" : "shrink-0",
              // There is no space for the middle one on a phone.
              labelled && path && "max-sm:hidden",
            )}
          >
            {index > 0 && <ChevronRight size={14} className="shrink-0 text-muted" />}
            {path ? (
              <HoverPrefetchLink
                href={path}
                title={title}
                className={clsx("truncate rounded-badge text-muted hover:text-text", isId && "font-mono")}
              >
                {name}
              </HoverPrefetchLink>
            ) : (
              <span
                aria-current={index === crumbs.length - 1 ? "page" : undefined}
                title={title}
                className={clsx("truncate", isId ? "mono" : index > 0 && "font-medium")}
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
