"use client";
import dynamic from "next/dynamic";
import { Button } from "../../../ui/button";
import { Skeleton } from "../../../ui/skeleton";
import { useTimeZone } from "../../../ui/time-zone";
import { formatDay, formatInstant, startOfDay } from "../../../ui/zone-time";
import { useListParams } from "../use-list-params";
import { FilterChip } from "./filter-chip";

const DateRange = dynamic(() => import("../../../ui/date-range").then((module) => module.DateRange), {
  ssr: false,
  loading: () => <Skeleton className="h-64 w-72" />,
});

const HOUR_MS = 3_600_000;
const PRESETS = [
  ["Last hour", 1],
  ["Last 24 hours", 24],
  ["Last 7 days", 7 * 24],
  ["Last 30 days", 30 * 24],
] as const;

/** When the batches were created. A preset becomes the instant it means now, so that a link keeps its rows. */
export function CreatedFilter() {
  const { params, setParams } = useListParams();
  const { zone } = useTimeZone();
  const { from, to } = params;
  return (
    <FilterChip
      name="Created"
      value={from || to ? describeRange(from, to, zone) : undefined}
      onClear={() => void setParams({ from: null, to: null })}
    >
      {(close) => (
        <div className="flex flex-col gap-3">
          <div className="grid grid-cols-2 gap-1.5">
            {PRESETS.map(([name, hours]) => (
              <Button
                key={name}
                size="small"
                onClick={() => {
                  void setParams({ from: new Date(Date.now() - hours * HOUR_MS), to: null });
                  close();
                }}
              >
                {name}
              </Button>
            ))}
          </div>
          <DateRange
            onChoose={(first, last) => {
              void setParams({ from: dayStart(first, 0, zone), to: dayStart(last, 1, zone) });
              close();
            }}
          />
          <p className="text-label text-muted">Whole days in {zone}</p>
        </div>
      )}
    </FilterChip>
  );
}

/** The start of a calendar day, or of the day after it, in the zone. The calendar's dates are local ones. */
const dayStart = (day: Date, daysLater: number, zone: string) =>
  new Date(startOfDay(day.getFullYear(), day.getMonth(), day.getDate() + daysLater, zone));

function describeRange(from: Date | null, to: Date | null, zone: string): string {
  const isMidnight = (at: Date) => formatInstant(at.getTime(), zone).endsWith("00:00:00");
  if (from && to && isMidnight(from) && isMidnight(to)) {
    const first = formatDay(from.getTime(), zone);
    const last = formatDay(to.getTime() - 1, zone);
    return first === last ? first : `${first} to ${last}`;
  }
  const words = [
    from && `from ${formatInstant(from.getTime(), zone)}`,
    to && `before ${formatInstant(to.getTime(), zone)}`,
  ];
  return words.filter(Boolean).join(" ");
}
