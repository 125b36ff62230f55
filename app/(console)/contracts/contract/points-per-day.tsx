import { unlessBusy } from "@/app/(console)/reads";
import { POINT_TYPES, type PointType } from "@/server/kernel/values/batch-terms";
import { consoleCaller } from "@/server/trpc/caller";
import { requestZone } from "../../../data/request-zone";
import { TimeSeries } from "../../../ui/chart/time-series";
import { Skeleton } from "../../../ui/skeleton";
import { Section } from "../../batches/batch/section";
import { TYPE_LABELS } from "../../batches/status";
import { SwitchLinks } from "../../operations/switch-links";
import { ReportError } from "../report-error";
import { type ContractParams, contractViewPath } from "./contract-params";
import { DAY_SPANS, dayStarts } from "./day-span";
import { FollowZone } from "./follow-zone";

const SERIES = [
  { name: "Pending", key: "pending" },
  { name: "Finalized", key: "finalized" },
  { name: "Cancelled", key: "cancelled" },
] as const;

interface PointsPerDayProps {
  contractAddress: string;
  params: ContractParams;
}

/** Drawn on the server, in the time zone from the user's cookie. */
export async function PointsPerDay({ contractAddress, params }: PointsPerDayProps) {
  const { days: span } = params;
  const zone = await requestZone();
  const starts = dayStarts(span, Date.now(), zone);
  const caller = await consoleCaller();
  const days = await unlessBusy(
    caller.console.contracts.pointsPerDay({ contractAddress, dayStarts: starts }),
  );
  if (!days)
    return (
      <PlotSection contractAddress={contractAddress} params={params}>
        <ReportError
          title="The points per day are not available"
          detail="The service is busy, or this contract has too many batches to add up in time."
        />
      </PlotSection>
    );
  const seriesOf = (type: PointType) =>
    SERIES.map(({ name, key }) => {
      const values = Array.from({ length: span }, () => "0");
      for (const day of days) if (day.pointType === type) values[day.day] = day[key];
      return { name, values };
    });
  return (
    <PlotSection contractAddress={contractAddress} params={params}>
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

function PlotSection({
  contractAddress,
  params,
  children,
}: PointsPerDayProps & { children: React.ReactNode }) {
  return (
    <Section
      title="Submitted per day"
      note="By submission date and current status"
      actions={
        <SwitchLinks
          name="Range"
          chosen={String(params.days)}
          links={DAY_SPANS.map((days) => ({
            value: String(days),
            label: `${days} days`,
            href: contractViewPath(contractAddress, { ...params, days }),
          }))}
        />
      }
    >
      <div className="grid gap-x-8 gap-y-6 rounded-card border border-line bg-surface p-4 @4xl:grid-cols-2">
        {children}
      </div>
    </Section>
  );
}
