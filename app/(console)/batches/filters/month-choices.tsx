"use client";
import { monthsBackTo, nameOfMonth } from "@/server/kernel/values/batch-terms";
import { Button } from "../../../ui/button";
import { NativeSelect } from "../../../ui/native-select";
import { useTimeZone } from "../../../ui/time-zone";
import { formatDay } from "../../../ui/zone-time";
import { rangeOfMonth } from "./describe-range";

/** Months that can be chosen by name. Earlier ones are in the calendar. */
const MONTHS_MAX = 36;
const EARLIEST = "1970-01";

interface MonthChoicesProps {
  /** `from` is inclusive, `to` is exclusive. */
  onChoose: (range: { from: Date; to: Date }) => void;
}

/** Calendar months in the chosen time zone: this one, the last one, or one by name. */
export function MonthChoices({ onChoose }: MonthChoicesProps) {
  const { zone } = useTimeZone();
  const months = monthsBackTo(EARLIEST, formatDay(Date.now(), zone).slice(0, 7), MONTHS_MAX);
  const choose = (month: string) => onChoose(rangeOfMonth(month, zone));
  return (
    <div className="flex flex-col gap-1.5">
      <div className="grid grid-cols-2 gap-1.5">
        <Button size="small" onClick={() => choose(months[0]!)}>
          This month
        </Button>
        <Button size="small" onClick={() => choose(months[1]!)}>
          Last month
        </Button>
      </div>
      <NativeSelect aria-label="Month" value="" onChange={({ target }) => choose(target.value)}>
        <option value="" disabled>
          Month
        </option>
        {months.map((month) => (
          <option key={month} value={month}>
            {nameOfMonth(month)}
          </option>
        ))}
      </NativeSelect>
    </div>
  );
}
