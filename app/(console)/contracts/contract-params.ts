import {
  createLoader,
  createSerializer,
  type inferParserType,
  parseAsIsoDateTime,
  parseAsNumberLiteral,
  parseAsString,
  parseAsStringLiteral,
} from "nuqs/server";
import { text } from "@/app/(console)/batches/list-params";
import { contractPath } from "@/app/(console)/paths";
import { counted, formatAmount } from "@/app/ui/amount";
import { formatDay, formatInstant, startOfDay } from "@/app/ui/format-time";
import type { ContractForecast, Due, ForecastOfType } from "@/server/forecast/make-forecast";
import { MONTH_PATTERN, REQUEST_ID_PATTERN, UUID_PATTERN } from "@/terms/batch-terms";
import { API_PROBLEM_CODES } from "@/terms/problems";

const SEARCH_CHARS_MAX = 80;

export const DAY_SPANS = [7, 30, 90] as const;

/** In the URL, so that a shared link shows the same list. */
export const contractParams = { q: parseAsString.withDefault("") };
export const loadContractListParams = createLoader(contractParams);

/** Used by the server and the browser, so that they share a cache key. */
export function toSearchInput({ q }: inferParserType<typeof contractParams>) {
  const search = q.trim().slice(0, SEARCH_CHARS_MAX);
  return search ? { search } : {};
}

const params = {
  days: parseAsNumberLiteral(DAY_SPANS).withDefault(30),
  forecast: parseAsStringLiteral(["hours", "days"] as const).withDefault("hours"),
};

export type ContractParams = Awaited<ReturnType<typeof loadContractParams>>;
export const loadContractParams = createLoader(params);
const toQuery = createSerializer(params);
export const contractViewPath = (address: string, given: ContractParams) =>
  toQuery(contractPath(address), given);

/** The starts of the last `span` days in a zone, today included, and the end of today. */
export function dayStarts(span: number, nowMs: number, zone: string): string[] {
  const today = formatDay(nowMs, zone);
  return Array.from({ length: span + 1 }, (_, i) =>
    new Date(startOfDay(today, i - span + 1, zone)).toISOString(),
  );
}

/** `3 batches, 1,250.5 points`. */
export function dueText({ batchCount, points }: Due, unit: string): string {
  if (batchCount === 0) return "None";
  return `${counted(batchCount, "batch", "batches")}, ${formatAmount(points)} ${unit}`;
}

/** When a PREFUNDED contract runs out, in one or two sentences. Null if points are issued to it on demand. */
export function runsOutText(
  { issuance, readAt }: Pick<ContractForecast, "issuance" | "readAt">,
  { available, submittedLast7Days, runsOutAt }: ForecastOfType,
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

export const loadMonth = createLoader({ month: text(MONTH_PATTERN) });

/** `from` is inclusive, `to` is exclusive. */
export const loadTransfersParams = createLoader({
  by: parseAsStringLiteral(["created", "finalized"] as const),
  from: parseAsIsoDateTime,
  to: parseAsIsoDateTime,
});

/** In the URL, so that a shared link shows the same requests. `from` is inclusive, `to` is exclusive. */
export const requestParams = {
  code: parseAsStringLiteral(API_PROBLEM_CODES),
  token: text(UUID_PATTERN),
  request: text(REQUEST_ID_PATTERN),
  from: parseAsIsoDateTime,
  to: parseAsIsoDateTime,
};
export const loadRequestParams = createLoader(requestParams);

/** Used by the server and the browser, so that they share a cache key. */
export const toRequestFilters = (
  contractAddress: string,
  { code, token, request, from, to }: inferParserType<typeof requestParams>,
) => ({
  contractAddress,
  ...(code && { code }),
  ...(token && { tokenId: token }),
  ...(request && { requestId: request }),
  // Both bounds are exclusive on the server, which stores milliseconds.
  ...(from && { createdAfter: new Date(from.getTime() - 1).toISOString() }),
  ...(to && { createdBefore: to.toISOString() }),
});
