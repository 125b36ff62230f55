import type { ConsoleTransfer } from "@/server/batches/list/console-schema";
import { parsePoints } from "@/server/kernel/values/points";

export interface TransferSort {
  by: "position" | "toAddress" | "points";
  descending: boolean;
}

const COMPARE: Record<TransferSort["by"], (a: ConsoleTransfer, b: ConsoleTransfer) => number> = {
  position: (a, b) => a.position - b.position,
  toAddress: (a, b) => compare(a.toAddress.toLowerCase(), b.toAddress.toLowerCase()),
  points: (a, b) => compare(parsePoints(a.points), parsePoints(b.points)),
};

function compare<Value extends string | bigint>(a: Value, b: Value): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

/** Ties keep the order of the request. */
export function compareTransfers({ by, descending }: TransferSort) {
  const sign = descending ? -1 : 1;
  return (a: ConsoleTransfer, b: ConsoleTransfer) => sign * COMPARE[by](a, b) || a.position - b.position;
}
