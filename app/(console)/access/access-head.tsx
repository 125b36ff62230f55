import Link from "next/link";
import type { ReactNode } from "react";
import { classNames } from "@/app/ui/class-names";
import { HoverPrefetchLink } from "@/app/ui/hover-prefetch-link";

const TABS = [
  { path: "/access", name: "Members" },
  { path: "/access/audit", name: "Audit log" },
] as const;

/** The page heading and the tabs of the team pages. */
export function AccessHead({ here, action }: { here: (typeof TABS)[number]["path"]; action?: ReactNode }) {
  return (
    <div className="border-line border-b px-4 pt-4 md:px-6 md:pt-5">
      <div className="flex min-h-8 items-center justify-between gap-3">
        <div className="flex flex-wrap items-baseline gap-x-3">
          <h1 className="font-semibold text-title">Team</h1>
          <p className="text-label text-muted">
            People who can sign in. Contract access tokens are on{" "}
            <Link href="/contracts" prefetch={false} className="underline hover:text-text">
              each contract’s page
            </Link>
            .
          </p>
        </div>
        {action}
      </div>
      <nav aria-label="Team" className="mt-2 -mb-px flex gap-5">
        {TABS.map(({ path, name }) => (
          <HoverPrefetchLink
            key={path}
            href={path}
            aria-current={path === here ? "page" : undefined}
            className={classNames(
              "border-b-2 pt-1.5 pb-2 font-medium text-table outline-offset-0",
              path === here ? "border-accent text-text" : "border-transparent text-muted hover:text-text",
            )}
          >
            {name}
          </HoverPrefetchLink>
        ))}
      </nav>
    </div>
  );
}
