"use client";
import { clsx } from "clsx";
import { Activity, Bell, Camera, FileText, Layers, type LucideIcon, ShieldCheck, Wallet } from "lucide-react";
import Link from "next/link";
import { usePathname } from "next/navigation";
import { type ComponentProps, useState } from "react";
import { shownCount, useQueueState } from "@/app/(console)/queue-state";
import { Logo } from "@/app/ui/logo";

export const NAV_ITEMS: readonly { path: string; name: string; icon: LucideIcon }[] = [
  { path: "/batches", name: "Batches", icon: Layers },
  { path: "/contracts", name: "Contracts", icon: FileText },
  { path: "/recipients", name: "Recipients", icon: Wallet },
  { path: "/snapshots", name: "Snapshots", icon: Camera },
  { path: "/operations", name: "Operations", icon: Activity },
  { path: "/inbox", name: "Alerts", icon: Bell },
  { path: "/access", name: "Team", icon: ShieldCheck },
];

/** A payout is in the section of the batches. */
export const inSection = (pathname: string) => pathname.replace(/^\/payouts\//, "/batches/");

export const isWithin = (pathname: string, path: string) =>
  pathname === path || inSection(pathname).startsWith(`${path}/`);

/** On narrow screens only its icons are shown. A phone has a menu instead. */
export function Sidebar() {
  const pathname = usePathname();
  return (
    <aside
      aria-label="Sidebar"
      className="w-14 shrink-0 border-line border-r bg-ground max-md:hidden xl:w-60 print:hidden"
    >
      <div className="flex h-14 items-center gap-2.5 px-3.5">
        <Logo size={26} />
        <span className="truncate font-semibold text-body max-xl:sr-only">Point transfers</span>
      </div>
      <nav aria-label="Main" className="flex flex-col gap-0.5 p-2">
        {NAV_ITEMS.map(({ path, name, icon: Icon }) => {
          const here = isWithin(pathname, path);
          return (
            <HoverPrefetchLink
              key={path}
              href={path}
              aria-current={here ? "page" : undefined}
              title={name}
              className={clsx(
                "relative flex h-8 items-center gap-2.5",
                "rounded-control px-2.5 font-medium text-table outline-offset-0",
                here ? "bg-hover text-text" : "text-muted hover:bg-hover hover:text-text",
              )}
            >
              <Icon size={16} className="shrink-0" />
              <span className="max-xl:sr-only">{name}</span>
              {path === "/inbox" && (
                <UnseenCount
                  className="max-xl:absolute max-xl:-top-0.5 max-xl:left-6
                    max-xl:min-w-3.5 max-xl:px-0.5 max-xl:text-[10px] max-xl:leading-3.5"
                />
              )}
            </HoverPrefetchLink>
          );
        })}
      </nav>
    </aside>
  );
}

export function UnseenCount({ className }: { className?: string }) {
  const unseenCount = useQueueState()?.unseenCount ?? 0;
  if (unseenCount === 0) return null;
  return (
    <span
      className={clsx(
        "ml-auto rounded-full bg-danger px-1.5",
        "text-center font-semibold text-label text-on-danger tabular-nums",
        className,
      )}
    >
      {shownCount(unseenCount)}
      <span className="sr-only"> not seen</span>
    </span>
  );
}

/** Next would prefetch every link in view: ten requests a page, which cost the server as much as the page. */
export function HoverPrefetchLink(props: Omit<ComponentProps<typeof Link>, "prefetch">) {
  const [isNear, setIsNear] = useState(false);
  const approach = () => setIsNear(true);
  return <Link {...props} prefetch={isNear ? null : false} onPointerEnter={approach} onFocus={approach} />;
}
