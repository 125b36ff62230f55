import { CircleCheck, CircleX, TriangleAlert } from "lucide-react";
import type { ReactNode } from "react";
import { personName } from "@/app/(console)/batches/status";
import { CheckNow } from "@/app/(console)/operations/actions";
import { formatCount } from "@/app/ui/amount";
import { Badge } from "@/app/ui/badge";
import { Spinner, TextLink } from "@/app/ui/button";
import { type DataColumn, DataTable } from "@/app/ui/data-table";
import { ScrollRegion } from "@/app/ui/scroll-region";
import { Fact, FactList, Section } from "@/app/ui/section";
import { SwitchLinks } from "@/app/ui/switch-links";
import { Instant } from "@/app/ui/time";
import type { FinalizingState, LastCheck, RecentRun, SelfCheckState } from "@/server/operations/read-state";
import { COUNT_MAX } from "@/terms/filters";
import { formatDuration } from "@/terms/output-text";
import { countedFindings, type OperationsParams, operationsPath } from "./operations-params";

function checkResult(last: LastCheck) {
  if (last.isOk) return { label: "Balanced", tone: "finalized", icon: CircleCheck } as const;
  if (!last.isWhole) return { label: "Incomplete", tone: "overdue", icon: TriangleAlert } as const;
  return { label: "Does not balance", tone: "danger", icon: TriangleAlert } as const;
}

export const Tiles = ({ state }: { state: FinalizingState }) => (
  <dl className="grid gap-3 @2xl:grid-cols-3">
    <Tile
      name="Due now"
      note={
        <>
          <TextLink href="/batches?status=OVERDUE">Overdue batches</TextLink>,{" "}
          <TextLink href="/batches?status=FINALIZING">finalizing batches</TextLink>
        </>
      }
    >
      {`${formatCount(Math.min(state.due, COUNT_MAX))}${state.due > COUNT_MAX ? "+" : ""}`}
    </Tile>
    <Tile name="Oldest overdue" note="Excluding batches on hold">
      {state.oldestOverdueSeconds === null ? "None" : formatDuration(state.oldestOverdueSeconds)}
    </Tile>
    <Tile
      name="Finalizer last ran"
      note={state.finalizerIsOn ? "Finalizer runs on this host" : "Finalizer runs from the cron route"}
    >
      {state.lastTickSeconds === null ? "Never" : `${formatDuration(state.lastTickSeconds)} ago`}
    </Tile>
  </dl>
);

const Tile = ({ name, note, children }: Record<"note" | "children", ReactNode> & { name: string }) => (
  <div className="card flex min-w-0 flex-col gap-1 p-4">
    <dt className="hint">{name}</dt>
    <dd className="text-balance font-semibold text-title tabular-nums">{children}</dd>
    <dd className="hint tabular-nums">{note}</dd>
  </div>
);

const RUNS = [
  ["all", "All"],
  ["failed", "Failed"],
] as const;
const FAILED = { tone: "danger", icon: CircleX, label: "Failed" } as const;
const SUCCEEDED = { tone: "finalized", icon: CircleCheck, label: "Succeeded" } as const;

const COLUMNS: readonly DataColumn<RecentRun>[] = [
  { name: "Finished", render: (run) => <Instant at={run.finishedAt} /> },
  { name: "Started by", render: (run) => personName(run.startedBy) },
  { name: "Batches", right: true, render: (run) => formatCount(run.batchesFinalized) },
  { name: "Transfers", right: true, render: (run) => formatCount(run.transfersSettled) },
  // Stored in whole seconds, rounded up.
  { name: "Delay", right: true, render: (run) => `up to ${formatDuration(run.lagSecondsMax)}` },
  { name: "Duration", right: true, render: (run) => `${run.seconds.toFixed(2)} s` },
  {
    name: "Result",
    render: ({ failure }) => (
      <span className="flex flex-wrap items-center gap-x-2 gap-y-1">
        <Badge {...(failure ? FAILED : SUCCEEDED)} />
        {failure && <span>{failure}</span>}
      </span>
    ),
  },
];

export const Runs = ({ params, runs }: { params: OperationsParams; runs: RecentRun[] }) => (
  <Section
    title="Recent runs"
    note="Runs that finalized a batch or failed"
    actions={
      <SwitchLinks
        name="Runs"
        chosen={params.runs}
        options={RUNS}
        hrefOf={(runs) => operationsPath({ ...params, runs })}
      />
    }
  >
    <DataTable
      label="Recent runs, table"
      columns={COLUMNS}
      rows={runs}
      keyOf={({ id }) => id}
      className="card max-h-[26rem] max-md:overflow-y-auto
          md:[&_thead]:sticky md:[&_thead]:top-0 md:[&_thead]:z-10 md:[&_thead]:bg-surface"
      empty={
        params.runs === "failed"
          ? "None of the last 5,000 runs failed."
          : "No runs yet. A run appears here after it finalizes a batch or fails."
      }
    />
  </Section>
);

export function SelfCheck({ check }: { check: SelfCheckState }) {
  const { last, lastGoodAt, lastRoundAt, isRunning, everyHours } = check;
  return (
    <Section
      title="Ledger self-check"
      note={everyHours === 0 ? "On demand only (SELF_CHECK_EVERY_HOURS=0)" : `Runs every ${everyHours} h`}
      actions={<CheckNow />}
    >
      <div className="card flex flex-col gap-3 p-4">
        <p className="text-muted text-table">
          Compares the stored balances and batches with the transfers. Scheduled checks cover all balances,
          new transfers and a slice of the older ones. “Check now” covers everything.
        </p>
        {isRunning && (
          <p className="flex items-center gap-2">
            <Spinner />A check is running.
          </p>
        )}
        {last ? (
          <FactList className="@2xl:grid-cols-2">
            <Fact name="Result">
              <Badge {...checkResult(last)} />
            </Fact>
            <Fact name="Checked">
              {last.isWhole
                ? `${formatCount(last.batches)} batches, ${formatCount(last.transfers)} transfers, ` +
                  `${formatCount(last.accounts)} accounts`
                : "Incomplete"}
            </Fact>
            {lastRoundAt && <Fact name="Last full pass" at={lastRoundAt} />}
            <Fact name="Finished">
              <Instant at={last.finishedAt} />, took {last.seconds} s
            </Fact>
            <Fact name="Started by">{personName(last.startedBy)}</Fact>
            {!last.isOk && (
              <Fact name="Last balanced">{lastGoodAt ? <Instant at={lastGoodAt} /> : "Never"}</Fact>
            )}
          </FactList>
        ) : (
          <p>No checks yet. Use “Check now” to run one.</p>
        )}
        {last && !last.isOk && <Findings last={last} />}
      </div>
    </Section>
  );
}

const Findings = ({ last }: { last: LastCheck }) => (
  <div className="min-w-0">
    <h3 className="mb-1 font-medium text-table">
      {last.isWhole ? countedFindings(last.findings.length) : "Cause"}
    </h3>
    <ScrollRegion
      aria-label="Findings"
      className="max-h-72 overflow-y-auto rounded-control border border-line"
    >
      <ul className="text-table">
        {last.findings.map(({ rule, detail }) => (
          <li
            key={`${rule} ${detail}`}
            className="flex flex-col border-line border-t px-3 py-1.5 first:border-t-0"
          >
            {last.isWhole && <span className="hint">{rule.replaceAll("_", " ")}</span>}
            <span className="wrap-anywhere mono">{detail}</span>
          </li>
        ))}
      </ul>
    </ScrollRegion>
  </div>
);
