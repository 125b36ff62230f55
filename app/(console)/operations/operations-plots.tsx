import { counted, formatCount } from "@/app/ui/amount";
import { TablesSwitch } from "@/app/ui/plot";
import { Section } from "@/app/ui/section";
import { SwitchLinks } from "@/app/ui/switch-links";
import { Instant } from "@/app/ui/time";
import { TimeSeries } from "@/app/ui/time-series";
import { RANGE_SHAPES, RANGES } from "@/server/operations/chart-ranges";
import type { FinalizingBucket, LateWave, Load } from "@/server/operations/measure";
import { formatDuration } from "@/terms/output-text";
import { type OperationsParams, operationsPath } from "./operations-params";

const WAVES_SHOWN = 5;

export const LoadAhead = ({ load, zone }: { load: Load | null; zone: string }) => (
  <Section title="Due next" note="Next 24 hours" actions={<TablesSwitch />}>
    <div className="card flex min-w-0 flex-col gap-3 p-4">
      {load ? (
        <Known load={load} zone={zone} />
      ) : (
        <p className="text-muted">Not available: too many batches are due to add them up in time.</p>
      )}
    </div>
  </Section>
);

const Known = ({ load: { hours, measured, waves }, zone }: { load: Load; zone: string }) => (
  <>
    <TimeSeries
      title="Transfers due"
      description="Transfers of pending batches that become due in each of the next 24 hours."
      unit="per hour"
      kind="amounts"
      times={hours.map(({ from }) => from)}
      series={[{ name: "Due", values: hours.map(({ transfers }) => String(transfers)) }]}
      zone={zone}
      empty="Nothing is due in the next 24 hours"
    />
    {waves.length > 0 && <Waves waves={waves} />}
    <p className="text-muted text-table">
      {measured
        ? `One finalizer credits about ${formatCount(measured.transfersPerMinute)} transfers per ` +
          `minute, measured in ${counted(measured.runs, "large run only", "large runs")}. `
        : "The speed of a finalizer is unknown until a run credits at least 1,000 transfers. "}
      {measured && waves.length === 0 && "At that rate, what is pending now would be in time. "}
      Batches on hold or awaiting approval are not included.
    </p>
  </>
);

function Waves({ waves }: { waves: LateWave[] }) {
  const more = waves.length - WAVES_SHOWN;
  return (
    <div className="rounded-control bg-overdue-ground px-3 py-2 text-overdue text-table">
      <p className="font-medium">More is due than one finalizer can credit in time</p>
      <ul className="flex flex-col gap-1">
        {waves.slice(0, WAVES_SHOWN).map(({ from, transfers, doneAt, minutesLate }) => (
          <li key={from}>
            <Instant at={from} />: {counted(transfers, "transfer", "transfers")}, finalized by{" "}
            <Instant at={doneAt} />, up to {formatDuration(minutesLate * 60)} late
          </li>
        ))}
      </ul>
      {more > 0 && <p>and {counted(more, "more time", "more times")} in these 24 hours</p>}
      <p>Start another host to share the work, or ask the contracts to spread their due times.</p>
    </div>
  );
}

interface PlotsProps {
  params: OperationsParams;
  buckets: FinalizingBucket[] | null;
  zone: string;
}

export function Plots({ params, buckets, zone }: PlotsProps) {
  const { words: span } = RANGE_SHAPES[params.range];
  return (
    <Section
      title="Finalizing"
      note={`Last ${span}`}
      actions={
        <SwitchLinks
          name="Range"
          chosen={params.range}
          options={RANGES.map((range) => [range, RANGE_SHAPES[range].words])}
          hrefOf={(range) => operationsPath({ ...params, range })}
        />
      }
    >
      <div className="card min-w-0 p-4">
        {buckets ? (
          <TimeSeries
            times={buckets.map(({ at }) => at)}
            zone={zone}
            empty="Nothing was finalized in this period"
            title="Time from due to finalized"
            description={
              `Time between due and finalized over the last ${span}: ` +
              "median (p50) and 95th percentile (p95)."
            }
            kind="durations"
            series={[
              { name: "p50", values: buckets.map(({ lagP50 }) => lagP50) },
              { name: "p95", values: buckets.map(({ lagP95 }) => lagP95) },
            ]}
          />
        ) : (
          <p className="text-muted">
            Too many batches were finalized in the last {span} to measure them in time. Choose a shorter
            range.
          </p>
        )}
      </div>
    </Section>
  );
}
