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

const EMPTY = "Nothing was finalized in this period";

export function Plots({ params, buckets, zone }: PlotsProps) {
  const { words: span } = RANGE_SHAPES[params.range];
  const shared = { times: buckets?.map(({ at }) => at) ?? [], zone, empty: EMPTY };
  const valuesOf = (name: Exclude<keyof FinalizingBucket, "at">) =>
    buckets?.map((bucket) => bucket[name]) ?? [];
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
        <div className="grid gap-3 @4xl:grid-cols-2">
          <Card className="@4xl:col-span-2">
            <TimeSeries
              {...shared}
              title="Time from due to finalized"
              description={`Time between due and finalized over the last ${span}: median (p50) and 95th percentile (p95).`}
              measure="duration"
              kind="line"
              series={[
                { name: "p50", values: valuesOf("lagP50") },
                { name: "p95", values: valuesOf("lagP95") },
              ]}
            />
          </Card>
          <Card>
            <TimeSeries
              {...shared}
              title="Batches finalized"
              description={`Batches finalized per minute over the last ${span}.`}
              unit="per minute"
              kind="bars"
              series={[{ name: "batches", values: valuesOf("batchesPerMinute") }]}
            />
          </Card>
          <Card>
            <TimeSeries
              {...shared}
              title="Transfers credited"
              description={`Transfers credited per minute over the last ${span}.`}
              unit="per minute"
              kind="bars"
              series={[{ name: "transfers", values: valuesOf("transfersPerMinute") }]}
            />
          </Card>
        </div>
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

function Card({ className = "", children }: { className?: string; children: ReactNode }) {
  return (
    <div className={`min-w-0 rounded-card border border-line bg-surface p-4 ${className}`}>{children}</div>
  );
}
