import { createLoader, createParser, parseAsIsoDateTime, parseAsStringLiteral } from "nuqs/server";
import { boundsOfMonth, MONTH_PATTERN } from "@/server/kernel/values/batch-terms";
import { contractPath, statementsPath } from "../paths";

const month = createParser({
  parse: (value) => (MONTH_PATTERN.test(value) ? value : null),
  serialize: String,
});

/** In the URL, so that a shared link shows the same month. */
export const loadMonth = createLoader({ month });

/** `from` is inclusive, `to` is exclusive. */
export const loadTransfersParams = createLoader({
  by: parseAsStringLiteral(["created", "finalized"] as const),
  from: parseAsIsoDateTime,
  to: parseAsIsoDateTime,
});

export const statementPath = (address: string, of: string) => `${statementsPath(address)}?month=${of}`;
export const statementCsvPath = (address: string, of: string) =>
  `${statementsPath(address)}/export?month=${of}`;

/** The transfers of a period. */
export function transfersCsvPath(
  address: string,
  by: "created" | "finalized",
  { from, to }: { from: string; to: string },
): string {
  return `${contractPath(address)}/transfers/export?${new URLSearchParams({ by, from, to })}`;
}

export const transfersOfMonth = (address: string, by: "created" | "finalized", of: string) =>
  transfersCsvPath(address, by, boundsOfMonth(of));
