import { TablesSwitch } from "@/app/ui/plot";
import { Section } from "@/app/ui/section";
import { SwitchLinks } from "@/app/ui/switch-links";
import { TimeSeries } from "@/app/ui/time-series";
import { RANGE_SHAPES, RANGES } from "@/server/operations/chart-ranges";
import type { DueHour, FinalizingBucket } from "@/server/operations/measure";
import { type OperationsParams, operationsPath } from "./operations-params";

export const LoadAhead = ({ hours, zone }: { hours: DueHour[] | null; zone: string }) => (
  <Section title="Due next" note="Next 24 hours" actions={<TablesSwitch />}>
    <div className="card flex min-w-0 flex-col gap-3 p-4">
      {hours ? (
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
          <p className="text-muted text-table">Batches on hold or awaiting approval are not included.</p>
        </>
      ) : (
        <p className="text-muted">Not available: too many batches are due to add them up in time.</p>
      )}
    </div>
  </Section>
);

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
