import type { ReactNode } from "react";
import { ConsoleSearch } from "@/app/(console)/search/console-search";
import { NavMenu, PersonMenu, ZoneMenu } from "@/app/(console)/shell/menus";
import { Sidebar } from "@/app/(console)/shell/sidebar";
import { ownAddress, requireStaff } from "@/app/data/prefetcher";
import { SkipLink } from "@/app/ui/skip-link";
import { consoleCaller } from "@/server/trpc/caller";
import { QueueProvider } from "./queue-state";
import { labelOf } from "./reads";
import { AlertBanner } from "./shell/alerts";
import { Breadcrumb } from "./shell/breadcrumb";
import { KeyboardHelp } from "./shell/keyboard-help";
import { StaffProvider } from "./staff";

export default async function ConsoleLayout({ children }: { children: ReactNode }) {
  // Each page does this too, since a layout is not rendered again when only the page changes.
  const person = await requireStaff();
  const caller = await consoleCaller();
  const [pathname = ""] = (await ownAddress()).split("?");
  const [service, alerts, label] = await Promise.all([
    caller.console.session.service(),
    // On failure, the browser retries.
    caller.console.alerts.summary().catch(() => null),
    labelOf(pathname),
  ]);
  return (
    <StaffProvider staff={{ ...person, ...service }}>
      <SkipLink />
      <QueueProvider initial={alerts}>
        <div className="flex h-dvh overflow-hidden print:block print:h-auto print:overflow-visible">
          <Sidebar />
          <div className="flex min-w-0 flex-1 flex-col print:block">
            <header className="top-bar gap-2 px-3 md:pl-6 print:hidden">
              <NavMenu />
              <Breadcrumb loaded={{ pathname, label }} />
              {service.isDevelopment && (
                <span className="rounded-badge border border-line px-1.5 hint max-sm:hidden">
                  development
                </span>
              )}
              <ConsoleSearch />
              <ZoneMenu />
              <PersonMenu />
              <KeyboardHelp />
            </header>
            <AlertBanner />
            {/* Relative, so that visually hidden elements far down do not make the document scroll. */}
            <main
              id="main"
              tabIndex={-1}
              className="relative flex min-h-0 flex-1 flex-col overflow-y-auto
                outline-none print:block print:overflow-visible"
            >
              {children}
            </main>
          </div>
        </div>
      </QueueProvider>
    </StaffProvider>
  );
}
