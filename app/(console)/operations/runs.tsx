import { CircleCheck, CircleX } from "lucide-react";
import { SwitchLinks } from "@/app/(console)/operations/switch-links";
import { formatAmount } from "@/app/ui/amount";
import { Badge } from "@/app/ui/badge";
import { type DataColumn, DataTable } from "@/app/ui/data-table";
import { formatDuration } from "@/app/ui/format-time";
import { Section } from "@/app/ui/section";
import { Instant } from "@/app/ui/time";
import type { RecentRun } from "@/server/operations/read-state";
import { type OperationsParams, operationsPath } from "./params";

const COLUMNS: readonly DataColumn<RecentRun>[] = [
  { name: "Finished", render: (run) => <Instant at={run.finishedAt} className="tabular-nums" /> },
  { name: "Started by", render: (run) => run.startedBy },
  { name: "Batches", right: true, render: (run) => formatAmount(String(run.batchesFinalized)) },
  { name: "Transfers", right: true, render: (run) => formatAmount(String(run.transfersSettled)) },
  { name: "Max delay", right: true, render: (run) => formatDuration(run.lagSecondsMax) },
  { name: "Duration", right: true, render: (run) => `${run.seconds.toFixed(2)} s` },
  { name: "Result", render: (run) => <Result run={run} /> },
];

export function Runs({ params, runs }: { params: OperationsParams; runs: RecentRun[] }) {
  return (
    <Section
      title="Recent runs"
      note="Runs that finalized a batch or failed"
      actions={
        <SwitchLinks
          name="Runs"
          chosen={params.runs}
          links={[
            { value: "all", label: "All", href: operationsPath({ ...params, runs: "all" }) },
            { value: "failed", label: "Failed", href: operationsPath({ ...params, runs: "failed" }) },
          ]}
        />
      }
    >
      <DataTable
        label="Recent runs, table"
        columns={COLUMNS}
        rows={runs}
        keyOf={({ id }) => id}
        className="max-h-[26rem] rounded-card border border-line bg-surface max-md:overflow-y-auto md:[&_thead]:sticky md:[&_thead]:top-0 md:[&_thead]:z-10 md:[&_thead]:bg-surface"
        empty={
          params.runs === "failed"
            ? "None of the last 5,000 runs failed."
            : "No runs yet. A run appears here after it finalizes a batch or fails."
        }
      />
    </Section>
  );
}

function Result({ run: { failure } }: { run: RecentRun }) {
  return (
    <span className="flex flex-wrap items-center gap-x-2 gap-y-1">
      <Badge tone={failure ? "danger" : "finalized"} icon={failure ? CircleX : CircleCheck}>
        {failure ? "Failed" : "Succeeded"}
      </Badge>
      {failure && <span>{failure}</span>}
    </span>
  );
}
