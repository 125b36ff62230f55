import { CircleCheck, CircleX } from "lucide-react";
import Link from "next/link";
import { SwitchLinks } from "@/app/(console)/operations/switch-links";
import { formatAmount } from "@/app/ui/amount";
import { Badge } from "@/app/ui/badge";
import { type DataColumn, DataTable } from "@/app/ui/data-table";
import { formatDuration } from "@/app/ui/format-time";
import { Instant } from "@/app/ui/instant";
import { Section } from "@/app/ui/section";
import type { RecentRun } from "@/server/operations/read-state";
import { type OperationsParams, operationsPath } from "./params";

const number = (text: string) => <span className="whitespace-nowrap tabular-nums">{text}</span>;

const COLUMNS: readonly DataColumn<RecentRun>[] = [
  { name: "Finished", render: (run) => <Instant at={run.finishedAt} className="tabular-nums" /> },
  { name: "Started by", render: (run) => run.startedBy },
  { name: "Batches", right: true, render: (run) => number(formatAmount(String(run.batchesFinalized))) },
  { name: "Transfers", right: true, render: (run) => number(formatAmount(String(run.transfersSettled))) },
  { name: "Max delay", right: true, render: (run) => number(formatDuration(run.lagSecondsMax)) },
  { name: "Duration", right: true, render: (run) => number(`${run.seconds.toFixed(2)} s`) },
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
      {runs.length === 0 ? (
        <NoRuns params={params} />
      ) : (
        <DataTable
          label="Recent runs, table"
          columns={COLUMNS}
          rows={runs}
          keyOf={({ id }) => id}
          className="max-h-[26rem] rounded-card border border-line bg-surface max-md:overflow-y-auto md:[&_thead]:sticky md:[&_thead]:top-0 md:[&_thead]:z-10 md:[&_thead]:bg-surface"
        />
      )}
    </Section>
  );
}

function NoRuns({ params }: { params: OperationsParams }) {
  return (
    <p className="rounded-card border border-line bg-surface p-6 text-center text-muted">
      {params.runs === "failed" ? (
        <>
          None of the last 5,000 runs failed.{" "}
          <Link
            href={operationsPath({ ...params, runs: "all" })}
            scroll={false}
            prefetch={false}
            className="text-accent underline underline-offset-2"
          >
            Show all runs
          </Link>
        </>
      ) : (
        <>
          No runs yet. A run appears here after it finalizes a batch or fails. To see one,{" "}
          <a href="/docs" className="text-accent underline underline-offset-2">
            submit a batch
          </a>{" "}
          and wait until it is due.
        </>
      )}
    </p>
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
