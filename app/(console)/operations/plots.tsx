import type { ReactNode } from "react";
import type { FinalizingBucket } from "@/server/operations/measure-finalizing";
import { RANGE_SHAPES, RANGES, type Range } from "@/server/operations/ranges";
import { TimeSeries } from "../../ui/chart/time-series";
import { Section } from "../batches/batch/section";
import { type OperationsParams, operationsPath } from "./operations-params";
import { SwitchLinks } from "./switch-links";

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
      note={`Last ${span}, times in ${zone}`}
      actions={
        <SwitchLinks
          name="Range"
          chosen={params.range}
          links={RANGES.map((range: Range) => ({
            value: range,
            label: RANGE_SHAPES[range].words,
            href: operationsPath({ ...params, range }),
          }))}
        />
      }
    >
      {buckets ? (
        <Card>
          <TimeSeries
            times={buckets.map(({ at }) => at)}
            zone={zone}
            empty="Nothing was finalized in this period"
            title="Time from due to finalized"
            description={`Time between due and finalized over the last ${span}: median (p50) and 95th percentile (p95).`}
            measure="duration"
            kind="line"
            series={[
              { name: "p50", values: buckets.map(({ lagP50 }) => lagP50) },
              { name: "p95", values: buckets.map(({ lagP95 }) => lagP95) },
            ]}
          />
        </Card>
      ) : (
        <Card>
          <p className="text-muted">
            Too many batches were finalized in the last {span} to measure them in time. Choose a shorter
            range.
          </p>
        </Card>
      )}
    </Section>
  );
}

const Card = ({ children }: { children: ReactNode }) => (
  <div className="min-w-0 rounded-card border border-line bg-surface p-4">{children}</div>
);
