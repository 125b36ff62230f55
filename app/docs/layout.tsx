import type { Metadata } from "next";
import type { ReactNode } from "react";
import { DocsLinks, DocsSearch } from "@/app/docs/navigation";
import { Logo } from "@/app/ui/logo";
import { SkipLink } from "@/app/ui/skip-link";

export const metadata: Metadata = {
  description:
    "How to submit, list, read and cancel batches of point transfers over REST: quick start, guides and " +
    "reference.",
};

export default function DocsLayout({ children }: { children: ReactNode }) {
  return (
    <>
      <SkipLink />
      <header className="top-bar sticky top-0 z-40 gap-2 px-3 md:gap-6 md:px-6">
        <a
          href="/docs"
          aria-label="Point transfers, documentation"
          className="flex shrink-0 items-center gap-2.5 rounded-control"
        >
          <Logo size={26} />
          <span className="font-semibold text-body max-md:hidden">Point transfers</span>
        </a>
        <DocsLinks />
        <div className="ml-auto shrink-0">
          <DocsSearch />
        </div>
      </header>
      {children}
    </>
  );
}
