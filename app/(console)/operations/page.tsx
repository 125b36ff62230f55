import { TriangleAlert } from "lucide-react";
import type { Metadata } from "next";
import { Runs, SelfCheck, Tiles } from "@/app/(console)/operations/sections";
import type { PageProps } from "@/app/data/page-props";
import { requireStaff } from "@/app/data/prefetcher";
import { requestZone } from "@/app/data/request-zone";
import { conditionsOf, type ServiceCondition } from "@/server/operations/service-conditions";
import { consoleCaller } from "@/server/trpc/caller";
import { LiveRefresh, RunNow } from "./actions";
import { loadOperationsParams } from "./operations-params";
import { LoadAhead, Plots } from "./operations-plots";

export const metadata: Metadata = { title: "Operations" };

export default async function OperationsPage({ searchParams }: PageProps) {
  const params = loadOperationsParams(await searchParams);
  await requireStaff();
  const { operations } = (await consoleCaller()).console;
  const failedOnly = params.runs === "failed";
  const [state, check, runs, shownRuns, buckets, load, zone] = await Promise.all([
    operations.state(),
    operations.selfCheck(),
    operations.runs({ failedOnly: false }),
    failedOnly ? operations.runs({ failedOnly }) : null,
    operations.finalizing({ range: params.range }),
    operations.load(),
    requestZone(),
  ]);
  const warnings = conditionsOf({ state, check, lastRun: runs[0], nowMs: Date.now() });
  return (
    <div className="@container flex flex-col gap-6 p-4 md:p-6">
      <div className="flex flex-wrap items-center gap-x-2 gap-y-3">
        <h1 className="mr-auto font-semibold text-title">Operations</h1>
        <LiveRefresh />
        <RunNow />
      </div>
      <WarningList warnings={warnings} />
      <Tiles {...{ state, check, warnings }} />
      <LoadAhead load={load} zone={zone} />
      <Plots {...{ params, buckets, zone }} />
      <Runs params={params} runs={shownRuns ?? runs} />
      <SelfCheck check={check} />
    </div>
  );
}

/** Always rendered, so that screen readers announce a new warning. */
function WarningList({ warnings }: { warnings: ServiceCondition[] }) {
  return (
    <div role="status" aria-label="Warnings" className="empty:sr-only">
      {warnings.length > 0 && (
        <ul className="flex flex-col gap-2">
          {warnings.map(({ kind, title, remedy }) => (
            <li key={kind} className="flex gap-3 rounded-card bg-overdue-ground px-4 py-3 text-overdue">
              <TriangleAlert size={16} className="mt-0.5 shrink-0" />
              <div className="min-w-0">
                <p className="font-semibold">{title}</p>
                <p className="text-table">{remedy}</p>
              </div>
            </li>
          ))}
        </ul>
      )}
    </div>
  );
}
