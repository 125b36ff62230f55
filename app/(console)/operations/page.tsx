import type { Metadata } from "next";
import { Runs, SelfCheck, Tiles } from "@/app/(console)/operations/sections";
import { QueueLine } from "@/app/(console)/queue-state";
import type { PageProps } from "@/app/data/page-props";
import { requireStaff } from "@/app/data/prefetcher";
import { requestZone } from "@/app/data/request-zone";
import { consoleCaller } from "@/server/trpc/caller";
import { LiveRefresh, RunNow } from "./actions";
import { loadOperationsParams } from "./operations-params";
import { LoadAhead, Plots } from "./operations-plots";

export const metadata: Metadata = { title: "Operations" };

const EVERY_MS = 5_000;

export default async function OperationsPage({ searchParams }: PageProps) {
  const params = loadOperationsParams(await searchParams);
  await requireStaff();
  const { operations } = (await consoleCaller()).console;
  const [state, check, runs, buckets, load, zone] = await Promise.all([
    operations.state(),
    operations.selfCheck(),
    operations.runs({ failedOnly: params.runs === "failed" }),
    operations.finalizing({ range: params.range }),
    operations.load(),
    requestZone(),
  ]);
  return (
    <div className="@container flex flex-col gap-6 p-4 md:p-6">
      <div className="flex flex-wrap items-center gap-x-2 gap-y-3">
        <h1 className="font-semibold text-title">Operations</h1>
        <p className="mr-auto hint tabular-nums">
          <QueueLine />
        </p>
        <LiveRefresh everyMs={EVERY_MS} />
        <RunNow />
      </div>
      <Tiles state={state} />
      <LoadAhead hours={load} zone={zone} />
      <Plots {...{ params, buckets, zone }} />
      <Runs params={params} runs={runs} />
      <SelfCheck check={check} />
    </div>
  );
}
