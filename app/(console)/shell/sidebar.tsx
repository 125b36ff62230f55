"use client";

import {
  Activity,
  Bell,
  FileText,
  Layers,
  type LucideIcon,
  Menu as MenuIcon,
  ShieldCheck,
} from "lucide-react";
import dynamic from "next/dynamic";
import { usePathname } from "next/navigation";
import { useState } from "react";
import { shownCount, useAlerts } from "@/app/(console)/shell/alerts";
import { Button } from "@/app/ui/button";
import { classNames } from "@/app/ui/class-names";
import { HoverPrefetchLink } from "@/app/ui/hover-prefetch-link";
import { Logo } from "@/app/ui/logo";

interface NavItem {
  path: string;
  name: string;
  icon: LucideIcon;
}

/** The sections of the console, in sidebar order. */
export const NAV_ITEMS: readonly NavItem[] = [
  { path: "/batches", name: "Batches", icon: Layers },
  { path: "/contracts", name: "Contracts", icon: FileText },
  { path: "/operations", name: "Operations", icon: Activity },
  { path: "/inbox", name: "Alerts", icon: Bell },
  { path: "/access", name: "Team", icon: ShieldCheck },
];

export const isWithin = (pathname: string, path: string) =>
  pathname === path || pathname.startsWith(`${path}/`);

/** On narrow screens only its icons are shown. */
export function Sidebar() {
  return (
    <aside
      aria-label="Sidebar"
      className="flex w-14 shrink-0 flex-col border-line border-r bg-ground max-md:hidden xl:w-60 print:hidden"
    >
      <div className="flex h-14 items-center gap-2.5 px-3.5">
        <Logo size={26} />
        <span className="truncate font-semibold text-body max-xl:sr-only">Point transfers</span>
      </div>
      <NavLinks isFolding />
    </aside>
  );
}

/** @param isFolding whether narrow screens hide the names */
function NavLinks({ isFolding = false, onGo }: { isFolding?: boolean; onGo?: () => void }) {
  const pathname = usePathname();
  const { unseenCount } = useAlerts();
  return (
    <nav aria-label="Main" className="flex flex-col gap-0.5 p-2">
      {NAV_ITEMS.map(({ path, name, icon: Icon }) => {
        const count = path === "/inbox" && unseenCount > 0 ? shownCount(unseenCount) : null;
        const here = isWithin(pathname, path);
        return (
          <HoverPrefetchLink
            key={path}
            href={path}
            onClick={onGo}
            aria-current={here ? "page" : undefined}
            title={isFolding ? name : undefined}
            className={classNames(
              "relative flex h-8 items-center gap-2.5 rounded-control px-2.5 font-medium text-table outline-offset-0",
              here ? "bg-hover text-text" : "text-muted hover:bg-hover hover:text-text",
            )}
          >
            <Icon aria-hidden size={16} className="shrink-0" />
            <span className={isFolding ? "max-xl:sr-only" : undefined}>{name}</span>
            {count && (
              <span
                className={classNames(
                  "ml-auto rounded-full bg-danger px-1.5 text-center font-semibold text-label text-on-danger tabular-nums",
                  // On the icon where the name is hidden.
                  isFolding &&
                    "max-xl:absolute max-xl:-top-0.5 max-xl:right-0 max-xl:min-w-4 max-xl:px-1 max-xl:leading-4",
                )}
              >
                {count}
                <span className="sr-only"> not seen</span>
              </span>
            )}
          </HoverPrefetchLink>
        );
      })}
    </nav>
  );
}

const Sheet = dynamic(() => import("@/app/ui/dialogs").then((module) => module.Sheet));

/** Replaces the sidebar on a phone. */
export function NavDrawer() {
  const [open, setOpen] = useState<boolean>();
  return (
    <>
      <Button
        variant="ghost"
        size="icon"
        className="md:hidden"
        aria-label="Open menu"
        aria-expanded={open ?? false}
        onClick={() => setOpen(true)}
      >
        <MenuIcon aria-hidden size={18} />
      </Button>
      {open !== undefined && (
        <Sheet open={open} onOpenChange={setOpen} title="Point transfers">
          <NavLinks onGo={() => setOpen(false)} />
        </Sheet>
      )}
    </>
  );
}
