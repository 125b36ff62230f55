import type { ReactNode } from "react";
import { unlessBusy } from "@/app/(console)/reads";
import type { ConsoleForecast, DueOut, ForecastOut } from "@/server/forecast/forecast-schema";
import { consoleCaller } from "@/server/trpc/caller";
import { requestZone } from "../../../data/request-zone";
import { TimeSeries } from "../../../ui/chart/time-series";
import { Skeleton } from "../../../ui/skeleton";
import { Section } from "../../batches/batch/section";
import { TYPE_LABELS } from "../../batches/status";
import { SwitchLinks } from "../../operations/switch-links";
import { ReportError } from "../report-error";
import { type ContractParams, contractViewPath } from "./contract-params";
import { dueText, runsOutText } from "./forecast-text";

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
