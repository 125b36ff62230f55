import type { Metadata } from "next";
import { readOperations } from "@/app/docs/document";
import { DocsPage } from "@/app/docs/navigation";
import { QuickStart } from "@/app/docs/quick-start-section";
import { groupEntries, Introduction, Limits } from "@/app/docs/reference-parts";

/** The limits come from the settings of the running process, not of the build. */
export const dynamic = "force-dynamic";

export const metadata: Metadata = { title: "API reference" };

export default function StartPage() {
  return (
    <DocsPage button="Reference" groups={groupEntries(readOperations())}>
      <div className="mx-auto max-w-[1180px]">
        <QuickStart />
        <div className="docs-columns gap-y-8 pt-10 pb-12">
          <Introduction />
          <Limits />
        </div>
      </div>
    </DocsPage>
  );
}
