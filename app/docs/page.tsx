import type { Metadata } from "next";
import { readOperations } from "@/app/docs/document";
import { DocsPage } from "@/app/docs/navigation";
import { ownOrigin } from "@/app/docs/quick-start";
import { QuickStart } from "@/app/docs/quick-start-section";
import { groupEntries, Introduction, Limits } from "@/app/docs/reference-parts";
import { settings } from "@/server/kernel/settings";

/** The limits come from the settings of the running process, not of the build. */
export const dynamic = "force-dynamic";

export const metadata: Metadata = { title: "API reference" };

export default function StartPage() {
  const origin = ownOrigin(settings());
  return (
    <DocsPage button="Reference" groups={groupEntries(readOperations())}>
      <div className="mx-auto max-w-[1180px]">
        <QuickStart settings={settings()} origin={origin} />
        <div className="docs-columns gap-y-8 pt-10 pb-12">
          <Introduction origin={origin} />
          <Limits settings={settings()} />
        </div>
      </div>
    </DocsPage>
  );
}
