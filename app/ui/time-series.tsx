import "server-only";
import { scaleUtc } from "d3-scale";
import { formatInstant } from "@/app/ui/format-time";
import { Plot, type PlotProps } from "@/app/ui/plot";

interface TimeSeriesProps extends Omit<PlotProps, "labels" | "labelName" | "ticks"> {
  /** RFC 3339, ascending and evenly spaced; for bars the start of each period. */
  times: readonly string[];
  zone: string;
}

/** Values over time. */
export const TimeSeries = ({ times, zone, ...props }: TimeSeriesProps) => (
  <Plot
    {...props}
    labels={nameInstants(times, zone)}
    labelName={`Time (${zone})`}
    ticks={timeTicks(times, zone)}
  />
);

const TIME_TICKS_WANTED = 6;
const DAY_MS = 86_400_000;

const dayAndMonth = new Intl.DateTimeFormat("en-GB", { timeZone: "UTC", day: "numeric", month: "short" });

/** Local time in the zone, as if it were UTC, in milliseconds since 1970. */
const wallMs = (at: string, zone: string) => Date.parse(`${formatInstant(at, zone).replace(" ", "T")}Z`);

/** About six, at round times or days in the zone, or the first instants after them. */
function timeTicks(times: readonly string[], zone: string): { index: number; label: string }[] {
  const shown = times.map((at) => wallMs(at, zone));
  const scale = scaleUtc([shown[0] ?? 0, shown.at(-1) ?? 0], [0, 1]);
  return scale.ticks(TIME_TICKS_WANTED).flatMap((tick) => {
    const index = shown.findIndex((at) => at >= +tick);
    if (index === -1) return [];
    const at = shown[index]!;
    const isDay = +tick % DAY_MS === 0;
    return [{ index, label: isDay ? dayAndMonth.format(at) : new Date(at).toISOString().slice(11, 16) }];
  });
}

/** For the table and the tooltips; dates only when every instant is midnight in the zone. */
function nameInstants(times: readonly string[], zone: string): string[] {
  const whole = times.map((at) => formatInstant(at, zone));
  const shownTo = whole.every((label) => label.endsWith("00:00:00")) ? "2026-01-31" : "2026-01-31 14:05";
  return whole.map((label) => label.slice(0, shownTo.length));
}
