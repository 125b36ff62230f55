import { Clock, HeartPulse, Layers, type LucideIcon, Pause, TriangleAlert } from "lucide-react";
import type { ReactNode } from "react";
import { formatAmount } from "@/app/ui/amount";
import { TextLink } from "@/app/ui/button";
import { classNames } from "@/app/ui/class-names";
import { formatDuration } from "@/app/ui/format-time";
import { Instant } from "@/app/ui/time";
import { COUNT_MAX, type FinalizingState, type SelfCheckState } from "@/server/operations/read-state";
import { checkResult, type Warning } from "./params";

interface TilesProps {
  state: FinalizingState;
  check: SelfCheckState;
  warnings: Warning[];
}

export function Tiles({ state, check, warnings }: TilesProps) {
  const isWarned = (kind: Warning["kind"]) => warnings.some((warning) => warning.kind === kind);
  const { last } = check;
  const result = checkResult(last);
  return (
    <dl className="grid grid-cols-2 gap-3 @3xl:grid-cols-5">
      <Tile
        name="Due now"
        icon={Layers}
        note={
          <span className="flex flex-wrap gap-x-3">
            <BatchesLink status="OVERDUE" label="Overdue" />
            <BatchesLink status="FINALIZING" label="Finalizing" />
          </span>
        }
      >
        {countText(state.due)}
      </Tile>
      <Tile
        name="Oldest overdue"
        icon={Clock}
        isWarned={isWarned("overdue")}
        note={state.oldestOverdueSeconds === null ? "No overdue batches" : "Excluding batches on hold"}
      >
        {state.oldestOverdueSeconds === null ? "None" : formatDuration(state.oldestOverdueSeconds)}
      </Tile>
      <Tile
        name="Last finalizer tick"
        icon={HeartPulse}
        isWarned={isWarned("tick")}
        note={state.finalizerIsOn ? "Finalizer runs on this host" : "Finalizer runs from the cron route"}
      >
        {state.lastTickSeconds === null ? "Never" : `${formatDuration(state.lastTickSeconds)} ago`}
      </Tile>
      <Tile name="On hold" icon={Pause} note={<BatchesLink status="HELD" label="View" />}>
        {countText(state.held)}
      </Tile>
      <Tile
        name="Self-check"
        icon={result.icon}
        isWarned={isWarned("check")}
        note={check.isRunning ? "Running now" : last ? <Instant at={last.finishedAt} /> : "Never checked"}
        className="col-span-2 @3xl:col-span-1"
      >
        {result.label}
      </Tile>
    </dl>
  );
}

const countText = (count: number) =>
  count > COUNT_MAX ? `${formatAmount(String(COUNT_MAX))}+` : formatAmount(String(count));

function BatchesLink({ status, label }: { status: "OVERDUE" | "FINALIZING" | "HELD"; label: string }) {
  return (
    <TextLink href={`/batches?status=${status}`}>
      {label}
      <span className="sr-only"> in the batch list</span>
    </TextLink>
  );
}

interface TileProps {
  name: string;
  icon: LucideIcon;
  isWarned?: boolean;
  note: ReactNode;
  className?: string;
  children: ReactNode;
}

function Tile({ name, icon: Icon, isWarned, note, className, children }: TileProps) {
  const Shown = isWarned ? TriangleAlert : Icon;
  return (
    <div
      className={classNames(
        "flex min-w-0 flex-col gap-1 rounded-card border bg-surface p-4",
        isWarned ? "border-overdue" : "border-line",
        className,
      )}
    >
      <dt className="flex items-center gap-1.5 text-label text-muted">
        <Shown aria-hidden size={13} className={isWarned ? "text-overdue" : undefined} />
        {name}
        {isWarned && <span className="sr-only">, warning</span>}
      </dt>
      <dd className="text-balance font-semibold text-title tabular-nums">{children}</dd>
      <dd className="text-label text-muted tabular-nums">{note}</dd>
    </div>
  );
}
