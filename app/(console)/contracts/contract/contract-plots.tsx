import { type ComponentProps, type Key, Suspense } from "react";
import { TYPE_LABELS } from "@/app/(console)/batches/status";
import {
  type ContractParams,
  contractViewPath,
  DAY_SPANS,
  dayStarts,
  dueText,
  runsOutText,
} from "@/app/(console)/contracts/contract-params";
import { FollowZone, ReportError } from "@/app/(console)/contracts/refresh";
import { unlessBusy } from "@/app/(console)/reads";
import { requestZone } from "@/app/data/request-zone";
import { formatInstant } from "@/app/ui/format-time";
import { TablesSwitch } from "@/app/ui/plot";
import { Fact, Section } from "@/app/ui/section";
import { Skeleton } from "@/app/ui/states";
import { SwitchLinks } from "@/app/ui/switch-links";
import { TimeSeries } from "@/app/ui/time-series";
import { consoleCaller } from "@/server/trpc/caller";
import { POINT_TYPES, type PointType, unitOfType } from "@/terms/batch-terms";

/** As in the API: hours and days of UTC, beginning with the current one. */
const VIEWS = {
  hours: { label: "24 hours", each: "hour", lengthMs: 3_600_000 },
  days: { label: "30 days", each: "day", lengthMs: 86_400_000 },
} as const satisfies Record<ContractParams["forecast"], object>;

interface PlotsProps {
  contractAddress: string;
  params: ContractParams;
}

/** The plots are drawn on the server, after the rest of the page, and again when another range is chosen. */
const PlotSection = ({ range, children, ...section }: ComponentProps<typeof Section> & { range: Key }) => (
  <Section {...section}>
    <div className="card grid gap-x-8 gap-y-6 p-4 @4xl:grid-cols-2">
      <Suspense
        key={range}
        fallback={[<Skeleton key="1" className="h-64" />, <Skeleton key="2" className="h-64" />]}
      >
        {children}
      </Suspense>
    </div>
  </Section>
);

export function Forecast(props: PlotsProps) {
  const { contractAddress, params } = props;
  return (
    <PlotSection
      title="Forecast"
      note={
        "Pending batches by due time, without reversals" +
        (params.forecast === "days" ? ", in days of UTC" : "")
      }
      actions={
        <>
          <TablesSwitch />
          <SwitchLinks
            name="Forecast range"
            chosen={params.forecast}
            options={(["hours", "days"] as const).map((view) => [view, VIEWS[view].label])}
            hrefOf={(forecast) => contractViewPath(contractAddress, { ...params, forecast })}
          />
        </>
      }
      range={params.forecast}
    >
      <Forecasts {...props} />
    </PlotSection>
  );
}

/** `Days` refreshes these too when the time zone changes. */
async function Forecasts({ contractAddress, params }: PlotsProps) {
  const caller = await consoleCaller();
  const [forecast, zone] = await Promise.all([
    unlessBusy(caller.console.forecast.get({ contractAddress })),
    requestZone(),
  ]);
  if (!forecast) return <NotAvailable title="The forecast is not available" />;
  const { each, lengthMs } = VIEWS[params.forecast];
  const drawnZone = params.forecast === "days" ? "UTC" : zone;
  return forecast.forecasts.map((ofType) => {
    const { pointType, overdue, later, onHold } = ofType;
    const periods = ofType[params.forecast];
    const [unit, label] = [unitOfType(pointType), TYPE_LABELS[pointType]];
    const runsOut = runsOutText(forecast, ofType, unit, zone);
    // Less than 24 hours from now: the first hour has begun.
    const end = formatInstant(Date.parse(periods.at(-1)!.from) + lengthMs, drawnZone).slice(0, -3);
    return (
      <section key={pointType} aria-label={`${label} forecast`} className="flex min-w-0 flex-col gap-3">
        <TimeSeries
          title={`${label} due per ${each}`}
          description={`${label} of pending batches that become due in each ${each} before ${end}.`}
          unit={unit}
          kind="amounts"
          times={periods.map(({ from }) => from)}
          series={[{ name: "Due", values: periods.map(({ points }) => points) }]}
          zone={drawnZone}
          empty={`No ${unit} due before ${end}`}
        />
        <dl>
          <Fact name="Overdue">{dueText(overdue, unit)}</Fact>
          <Fact name="After 30 days">{dueText(later, unit)}</Fact>
          <Fact name="On hold">{dueText(onHold, unit)}</Fact>
        </dl>
        {runsOut && <p className="break-words">{runsOut}</p>}
      </section>
    );
  });
}

const NotAvailable = ({ title }: { title: string }) => (
  <div className="col-span-full">
    <ReportError
      title={title}
      detail="The service is busy, or this contract has too many batches to add up in time."
    />
  </div>
);

const SERIES = [
  { name: "Pending", key: "pending" },
  { name: "Finalized", key: "finalized" },
  { name: "Cancelled", key: "cancelled" },
] as const;

export function PointsPerDay(props: PlotsProps) {
  const { contractAddress, params } = props;
  return (
    <PlotSection
      title="Submitted per day"
      note="By submission date and current status"
      actions={
        <SwitchLinks
          name="Range"
          chosen={params.days}
          options={DAY_SPANS.map((days) => [days, `${days} days`])}
          hrefOf={(days) => contractViewPath(contractAddress, { ...params, days })}
        />
      }
      range={params.days}
    >
      <Days {...props} />
    </PlotSection>
  );
}

async function Days({ contractAddress, params: { days: span } }: PlotsProps) {
  const zone = await requestZone();
  const starts = dayStarts(span, Date.now(), zone);
  const { contracts } = (await consoleCaller()).console;
  const days = await unlessBusy(contracts.pointsPerDay({ contractAddress, dayStarts: starts }));
  if (!days) return <NotAvailable title="The points per day are not available" />;
  const seriesOf = (type: PointType) =>
    SERIES.map(({ name, key }) => {
      const values = Array.from({ length: span }, () => "0");
      for (const day of days) if (day.pointType === type) values[day.day] = day[key];
      return { name, values };
    });
  return (
    <>
      <FollowZone drawnIn={zone} />
      {POINT_TYPES.map((type) => (
        <TimeSeries
          key={type}
          title={`${TYPE_LABELS[type]} submitted per day`}
          description={
            `${TYPE_LABELS[type]} in the batches submitted on each of the last ${span} days, by current ` +
            "status."
          }
          unit={unitOfType(type)}
          kind="amounts"
          times={starts.slice(0, -1)}
          series={seriesOf(type)}
          zone={zone}
          empty={`No ${unitOfType(type)} submitted in the last ${span} days`}
        />
      ))}
    </>
  );
}
