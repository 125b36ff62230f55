import { cookies, headers } from "next/headers";
import type { ReactNode } from "react";
import { staffSession } from "@/server/auth/staff-session";
import { consoleCaller } from "@/server/trpc/caller";
import { labelOf } from "./reads";
import { AlertBanner, AlertsProvider } from "./shell/alerts";
import { Header } from "./shell/header";
import { Sidebar } from "./shell/sidebar";
import { StaffProvider } from "./staff";

export default async function ConsoleLayout({ children }: { children: ReactNode }) {
  const person = await staffSession();
  // The page redirects to sign-in, since it has the URL to return to.
  if (!person) return children;
  const caller = await consoleCaller();
  const pathname = (await headers()).get("x-pathname") ?? "";
  const [service, alerts, label, jar] = await Promise.all([
    caller.console.session.service(),
    // On failure, the browser retries.
    caller.console.alerts.summary().catch(() => null),
    labelOf(pathname),
    cookies(),
  ]);
  return (
    <StaffProvider
      staff={{
        ...person,
        publicUrl: service.publicUrl,
        walletPages: service.walletPages,
        minimumFinalizeSeconds: service.limits.minimumFinalizeSeconds,
      }}
    >
      <a
        href="#main"
        className="fixed top-2 left-2 z-50 -translate-y-16 rounded-control bg-accent px-3 py-1.5 text-on-accent focus:translate-y-0 print:hidden"
      >
        Skip to content
      </a>
      <AlertsProvider initial={alerts}>
        <div className="flex h-dvh overflow-hidden print:block print:h-auto print:overflow-visible">
          <Sidebar chosen={jar.get("sidebar")?.value} />
          <div className="flex min-w-0 flex-1 flex-col print:block">
            <Header isDevelopment={service.isDevelopment} person={person} loaded={{ pathname, label }} />
            <AlertBanner />
            {/* Relative, so that visually hidden elements far down do not make the document scroll. */}
            <main
              id="main"
              tabIndex={-1}
              className="relative flex min-h-0 flex-1 flex-col overflow-y-auto outline-none print:block print:overflow-visible"
            >
              {children}
            </main>
          </div>
        </div>
      </AlertsProvider>
    </StaffProvider>
  );
}
