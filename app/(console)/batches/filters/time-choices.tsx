"use client";
import { Button } from "../../../ui/button";
import { DateRange } from "../../../ui/date-range";
import { useTimeZone } from "../../../ui/time-zone";
import { useFocus } from "../../../ui/use-focus";
import { startOfDay } from "../../../ui/zone-time";
import { MonthChoices } from "./month-choices";

const HOUR_MS = 3_600_000;

/** A name, and the hours from now at which the range begins and ends. */
type Preset = readonly [name: string, from: number, to: number | null];

const DAY = 24;
const PAST: readonly Preset[] = [
  ["Last hour", -1, null],
  ["Last 24 hours", -DAY, null],
  ["Last 7 days", -7 * DAY, null],
  ["Last 30 days", -30 * DAY, null],
];
const FUTURE: readonly Preset[] = [
  ["Next hour", 0, 1],
  ["Next 24 hours", 0, DAY],
  ["Next 7 days", 0, 7 * DAY],
  ["Last 24 hours", -DAY, 0],
];

interface TimeChoicesProps {
  /** Most of the times are still to come. */
  isFuture?: boolean;
  /** `from` is inclusive, `to` is exclusive. */
  onChoose: (range: { from: Date; to: Date | null }) => void;
}

/** A preset becomes a fixed instant, so that a shared link keeps its rows. */
export function TimeChoices({ isFuture = false, onChoose }: TimeChoicesProps) {
  const { zone } = useTimeZone();
  const first = useFocus<HTMLButtonElement>();
  const hoursFromNow = (hours: number) => new Date(Date.now() + hours * HOUR_MS);
  // The calendar returns local dates; the range is the same day in the chosen zone.
  const dayStart = (day: Date, daysLater: number) =>
    new Date(startOfDay(day.getFullYear(), day.getMonth(), day.getDate() + daysLater, zone));
  return (
    <div className="flex flex-col gap-3">
      <div className="grid grid-cols-2 gap-1.5">
        {(isFuture ? FUTURE : PAST).map(([name, from, to], index) => (
          <Button
            key={name}
            ref={index === 0 ? first : undefined}
            size="small"
            onClick={() => onChoose({ from: hoursFromNow(from), to: to === null ? null : hoursFromNow(to) })}
          >
            {name}
          </Button>
        ))}
      </div>
      <MonthChoices onChoose={onChoose} />
      <DateRange onChoose={(first, last) => onChoose({ from: dayStart(first, 0), to: dayStart(last, 1) })} />
      <p className="text-label text-muted">Full days and months in {zone}</p>
    </div>
  );
}
