import { contractPath, statementsPath } from "@/app/(console)/contracts/paths";
import { boundsOfMonth } from "@/server/kernel/values/batch-terms";

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
