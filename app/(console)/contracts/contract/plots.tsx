import type { ReactNode } from "react";
import { TYPE_LABELS } from "@/app/(console)/batches/status";
import {
  type ContractParams,
  contractViewPath,
  DAY_SPANS,
  dayStarts,
  dueText,
  runsOutText,
} from "@/app/(console)/contracts/params";
import { FollowZone, ReportError } from "@/app/(console)/contracts/refresh";
import { SwitchLinks } from "@/app/(console)/operations/switch-links";
import { unlessBusy } from "@/app/(console)/reads";
import { requestZone } from "@/app/data/request-zone";
import { TimeSeries } from "@/app/ui/chart/time-series";
import { Section } from "@/app/ui/section";
import { Skeleton } from "@/app/ui/skeleton";
import type { ConsoleForecast, DueOut, ForecastOut } from "@/server/forecast/schema";
import { POINT_TYPES, type PointType } from "@/server/kernel/values/batch-terms";
import { consoleCaller } from "@/server/trpc/caller";

/** As in the API: hours and days of UTC, beginning with the current one. */
const VIEWS = {
  hours: { label: "24 hours", each: "hour", span: "current hour and the 23 after it" },
  days: { label: "30 days", each: "day", span: "current day and the 29 after it" },
} as const satisfies Record<ContractParams["forecast"], object>;

interface ForecastProps {
  contractAddress: string;
  params: ContractParams;
}

/** Drawn on the server. `PointsPerDay` refreshes both when the time zone changes. */
export async function Forecast(props: ForecastProps) {
  const [forecast, zone] = await Promise.all([readForecast(props.contractAddress), requestZone()]);
  if (!forecast)
    return (
      <ForecastSection {...props}>
        <ReportError
          title="The forecast is not available"
          detail="The service is busy, or this contract has too many batches to add up in time."
        />
      </ForecastSection>
    );
  return (
    <ForecastSection {...props}>
      <div className="grid gap-x-8 gap-y-6 rounded-card border border-line bg-surface p-4 @4xl:grid-cols-2">
        {forecast.forecasts.map((each) => (
          <TypeForecast
            key={each.pointType}
            forecast={each}
            runsOut={runsOutText(forecast, each, unitOf(each), zone)}
            view={props.params.forecast}
            zone={zone}
          />
        ))}
      </div>
    </ForecastSection>
  );
}

const unitOf = ({ pointType }: ForecastOut) => TYPE_LABELS[pointType].toLowerCase();

async function readForecast(contractAddress: string): Promise<ConsoleForecast | null> {
  const caller = await consoleCaller();
  return unlessBusy(caller.console.forecast.get({ contractAddress }));
}

interface TypeForecastProps {
  forecast: ForecastOut;
  runsOut: string | null;
  view: ContractParams["forecast"];
  zone: string;
}

function TypeForecast({ forecast, runsOut, view, zone }: TypeForecastProps) {
  const unit = unitOf(forecast);
  const label = TYPE_LABELS[forecast.pointType];
  const { each, span } = VIEWS[view];
  const periods = forecast[view];
  const fact = (name: string, due: DueOut) => (
    <div className="flex items-baseline justify-between gap-4 border-line border-t py-1.5">
      <dt className="shrink-0 text-muted">{name}</dt>
      <dd className="min-w-0 break-words text-right tabular-nums">{dueText(due, unit)}</dd>
    </div>
  );
  return (
    <section aria-label={`${label} forecast`} className="flex min-w-0 flex-col gap-3">
      <TimeSeries
        title={`${label} due per ${each}`}
        description={`${label} of pending batches that become due in each ${each}: the ${span}.`}
        unit={unit}
        kind="bars"
        times={periods.map(({ from }) => from)}
        series={[{ name: "Due", values: periods.map(({ points }) => points) }]}
        zone={view === "days" ? "UTC" : zone}
        empty={`No ${unit} due in the ${span}`}
      />
      <dl className="flex flex-col text-table">
        {fact("Overdue", forecast.overdue)}
        {fact("After 30 days", forecast.later)}
        {fact("On hold", forecast.onHold)}
      </dl>
      {runsOut && <p className="break-words">{runsOut}</p>}
    </section>
  );
}

export function ForecastSkeleton(props: ForecastProps) {
  return (
    <ForecastSection {...props}>
      <div className="grid gap-x-8 gap-y-6 rounded-card border border-line bg-surface p-4 @4xl:grid-cols-2">
        <Skeleton className="h-96" />
        <Skeleton className="h-96" />
      </div>
    </ForecastSection>
  );
}

function ForecastSection({ contractAddress, params, children }: ForecastProps & { children: ReactNode }) {
  return (
    <Section
      title="Forecast"
      note={`Pending batches by due time, without reversals${params.forecast === "days" ? ", in days of UTC" : ""}`}
      actions={
        <SwitchLinks
          name="Forecast range"
          chosen={params.forecast}
          links={(["hours", "days"] as const).map((value) => ({
            value,
            label: VIEWS[value].label,
            href: contractViewPath(contractAddress, { ...params, forecast: value }),
          }))}
        />
      }
    >
      {children}
    </Section>
  );
}

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
