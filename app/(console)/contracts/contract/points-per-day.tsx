import Link from "next/link";
import { POINT_TYPES, type PointType } from "@/server/kernel/values/point-types";
import { consoleCaller } from "@/server/trpc/caller";
import { requestZone } from "../../../data/request-zone";
import { TimeSeries } from "../../../ui/chart/time-series";
import { classNames } from "../../../ui/class-names";
import { Skeleton } from "../../../ui/skeleton";
import { Section } from "../../batches/batch/section";
import { TYPE_LABELS } from "../../batches/status";
import { contractPath } from "../paths";
import { DAY_SPANS, type DaySpan, dayStarts } from "./day-span";
import { FollowZone } from "./follow-zone";

const SERIES = [
  { name: "Pending", key: "waiting" },
  { name: "Finalized", key: "finalized" },
  { name: "Cancelled", key: "cancelled" },
] as const;

interface PointsPerDayProps {
  contractAddress: string;
  span: DaySpan;
}

/** Drawn on the server, in the time zone from the user's cookie. */
export async function PointsPerDay({ contractAddress, span }: PointsPerDayProps) {
  const zone = await requestZone();
  const starts = dayStarts(span, Date.now(), zone);
  const caller = await consoleCaller();
  const days = await caller.console.contracts.pointsPerDay({ contractAddress, dayStarts: starts });
  const seriesOf = (type: PointType) =>
    SERIES.map(({ name, key }) => {
      const values = Array.from({ length: span }, () => "0");
      for (const day of days) if (day.pointType === type) values[day.day] = day[key];
      return { name, values };
    });
  return (
    <PlotSection contractAddress={contractAddress} span={span}>
      <FollowZone drawnIn={zone} />
      {POINT_TYPES.map((type) => (
        <TimeSeries
          key={type}
          title={`${TYPE_LABELS[type]} submitted per day`}
          description={`${TYPE_LABELS[type]} in the batches submitted on each of the last ${span} days, by current status.`}
          unit={TYPE_LABELS[type].toLowerCase()}
          kind="bars"
          times={starts.slice(0, -1)}
          series={seriesOf(type)}
          zone={zone}
          empty={`No ${TYPE_LABELS[type].toLowerCase()} submitted in the last ${span} days`}
        />
      ))}
    </PlotSection>
  );
}

export function PointsPerDaySkeleton(props: PointsPerDayProps) {
  return (
    <PlotSection {...props}>
      <Skeleton className="h-64" />
      <Skeleton className="h-64" />
    </PlotSection>
  );
}

function PlotSection({ contractAddress, span, children }: PointsPerDayProps & { children: React.ReactNode }) {
  return (
    <Section
      title="Submitted per day"
      note="By submission date and current status"
      actions={
        <nav aria-label="Range" className="flex rounded-control border border-line bg-surface p-0.5">
          {DAY_SPANS.map((days) => (
            <Link
              key={days}
              href={`${contractPath(contractAddress)}?days=${days}`}
              scroll={false}
              replace
              prefetch={false}
              aria-current={days === span ? "true" : undefined}
              className={classNames(
                "rounded-badge px-2 py-0.5 text-label",
                days === span ? "bg-selected font-medium text-accent" : "text-muted hover:text-text",
              )}
            >
              {days} days
            </Link>
          ))}
        </nav>
      }
    >
      <div className="grid gap-x-8 gap-y-6 rounded-card border border-line bg-surface p-4 @4xl:grid-cols-2">
        {children}
      </div>
    </Section>
  );
}
