import type { ConsoleForecast, DueOut, ForecastOut } from "@/server/forecast/forecast-schema";
import { formatAmount } from "../../../ui/amount";
import { counted } from "../../../ui/counted";
import { formatInstant } from "../../../ui/zone-time";

/** `3 batches, 1,250.5 points`. */
export function dueText({ batchCount, points }: DueOut, unit: string): string {
  if (batchCount === 0) return "None";
  return `${counted(batchCount, "batch", "batches")}, ${formatAmount(points)} ${unit}`;
}

/** When a PREFUNDED contract runs out, in one or two sentences. Null if points are issued to it on demand. */
export function runsOutText(
  { issuance, readAt }: Pick<ConsoleForecast, "issuance" | "readAt">,
  { available, submittedLast7Days, runsOutAt }: ForecastOut,
  unit: string,
  zone: string,
): string | null {
  if (issuance !== "PREFUNDED") return null;
  if (available === "0") return `No ${unit} available.`;
  const left = `${formatAmount(available)} ${unit} available.`;
  if (submittedLast7Days === "0") return `${left} No ${unit} submitted in the last 7 days.`;
  const pace = `At the pace of the last 7 days (${formatAmount(submittedLast7Days)} ${unit} submitted)`;
  if (runsOutAt === null) return `${left} ${pace}, they last for more than 100 years.`;
  if (runsOutAt <= readAt) return `${left} ${pace}, they run out within a minute.`;
  return `${left} ${pace}, they run out at ${formatInstant(runsOutAt, zone).slice(0, -3)} (${zone}).`;
}
