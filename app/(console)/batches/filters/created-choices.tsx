"use client";
import { Button } from "../../../ui/button";
import { DateRange } from "../../../ui/date-range";
import { useTimeZone } from "../../../ui/time-zone";
import { startOfDay } from "../../../ui/zone-time";

const HOUR_MS = 3_600_000;
const PRESETS = [
  ["Last hour", 1],
  ["Last 24 hours", 24],
  ["Last 7 days", 7 * 24],
  ["Last 30 days", 30 * 24],
] as const;

interface CreatedChoicesProps {
  /** `from` is inclusive, `to` is exclusive. */
  onChoose: (range: { from: Date; to: Date | null }) => void;
}

/** A preset becomes a fixed instant, so that a shared link keeps its rows. */
export function CreatedChoices({ onChoose }: CreatedChoicesProps) {
  const { zone } = useTimeZone();
  // The calendar gives local dates; what counts is the same day in the chosen zone.
  const dayStart = (day: Date, daysLater: number) =>
    new Date(startOfDay(day.getFullYear(), day.getMonth(), day.getDate() + daysLater, zone));
  return (
    <div className="flex flex-col gap-3">
      <div className="grid grid-cols-2 gap-1.5">
        {PRESETS.map(([name, hours]) => (
          <Button
            key={name}
            size="small"
            onClick={() => onChoose({ from: new Date(Date.now() - hours * HOUR_MS), to: null })}
          >
            {name}
          </Button>
        ))}
      </div>
      <DateRange onChoose={(first, last) => onChoose({ from: dayStart(first, 0), to: dayStart(last, 1) })} />
      <p className="text-label text-muted">Full days in {zone}</p>
    </div>
  );
}
