"use client";

import {
  Activity,
  Bell,
  FileText,
  Layers,
  type LucideIcon,
  Menu as MenuIcon,
  PanelLeft,
  ShieldCheck,
} from "lucide-react";
import dynamic from "next/dynamic";
import { usePathname } from "next/navigation";
import { useState } from "react";
import { shownCount, useAlerts } from "@/app/(console)/shell/alerts";
import { Button } from "@/app/ui/button";
import { classNames } from "@/app/ui/class-names";
import { useMediaQuery } from "@/app/ui/hooks";
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

const COOKIE_SECONDS = 31_536_000;

const WIDTHS: Record<Fold, string> = { folded: "w-14", open: "w-60", narrow: "w-14 xl:w-60" };

export function Sidebar({ chosen }: { chosen: string | undefined }) {
  const [fold, setFold] = useState<Fold>(chosen === "folded" || chosen === "open" ? chosen : "narrow");
  const isWide = useMediaQuery("(min-width: 1280px)");
  const folded = fold === "narrow" ? !isWide : fold === "folded";
  const toggle = () => {
    const next = folded ? "open" : "folded";
    // biome-ignore lint/suspicious/noDocumentCookie: Cookie Store is not in every browser yet
    document.cookie = `sidebar=${next};path=/;max-age=${COOKIE_SECONDS};samesite=lax`;
    setFold(next);
  };
  return (
    <aside
      aria-label="Sidebar"
      className={classNames(
        "flex shrink-0 flex-col border-line border-r bg-ground max-md:hidden print:hidden",
        WIDTHS[fold],
      )}
    >
      <div className="flex h-14 items-center gap-2.5 px-3.5">
        <Logo size={26} />
        <span className={classNames("truncate font-semibold text-body", FOLDED_TEXT[fold])}>
          Point transfers
        </span>
      </div>
      <NavLinks fold={fold} />
      <div className="mt-auto p-2">
        <Button
          variant="ghost"
          size="icon"
          onClick={toggle}
          aria-label={folded ? "Expand sidebar" : "Collapse sidebar"}
          aria-expanded={!folded}
        >
          <PanelLeft aria-hidden size={16} />
        </Button>
      </div>
    </aside>
  );
}

/** `narrow` is the default: folded on narrow screens only, by CSS, because the server cannot know the width. */
export type Fold = "folded" | "open" | "narrow";

/** Class name of text that a folded sidebar hides. */
export const FOLDED_TEXT: Record<Fold, string | undefined> = {
  folded: "sr-only",
  open: undefined,
  narrow: "max-xl:sr-only",
};

/** Next to the name, or on the icon where the name is hidden. */
const COUNT_PLACE: Record<Fold, string> = {
  folded: "absolute -top-0.5 right-0 min-w-4 px-1 leading-4",
  open: "ml-auto",
  narrow:
    "ml-auto max-xl:absolute max-xl:-top-0.5 max-xl:right-0 max-xl:min-w-4 max-xl:px-1 max-xl:leading-4",
};

export function NavLinks({ fold = "open", onGo }: { fold?: Fold; onGo?: () => void }) {
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
            title={fold === "open" ? undefined : name}
            className={classNames(
              "relative flex h-8 items-center gap-2.5 rounded-control px-2.5 font-medium text-table outline-offset-0",
              here ? "bg-hover text-text" : "text-muted hover:bg-hover hover:text-text",
            )}
          >
            <Icon aria-hidden size={16} className="shrink-0" />
            <span className={FOLDED_TEXT[fold]}>{name}</span>
            {count && (
              <span
                className={classNames(
                  "rounded-full bg-danger px-1.5 text-center font-semibold text-label text-on-danger tabular-nums",
                  COUNT_PLACE[fold],
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

const Sheet = dynamic(() => import("@/app/ui/dialogs").then((module) => module.Sheet), { ssr: false });

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
