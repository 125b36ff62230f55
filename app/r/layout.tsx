import { notFound } from "next/navigation";
import type { ReactNode } from "react";
import { Logo } from "@/app/ui/logo";
import { settings } from "@/server/kernel/settings";

// Whether the pages are on is known when the service runs, not when it is built.
export const dynamic = "force-dynamic";

export default function WalletLayout({ children }: { children: ReactNode }) {
  // The page checks too, because Next renders both at the same time.
  if (!settings().PUBLIC_RECEIPTS) notFound();
  return (
    <>
      <header className="top-bar gap-2.5 px-4 md:px-6 print:hidden">
        <Logo size={26} />
        <span className="font-semibold text-body">Point transfers</span>
      </header>
      <main className="@container mx-auto flex w-full max-w-[1200px] flex-col gap-6 p-4 md:p-6">
        {children}
      </main>
    </>
  );
}
