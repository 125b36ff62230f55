import type { CompareInput } from "@/server/batches/list/console-schema";
import { findBatch, findTransfers, type StoredBatch } from "@/server/batches/list/get-batch";
import type { ServiceContext } from "@/server/kernel/context";
import { invalid } from "@/server/kernel/to-domain-error";
import { withLabels } from "@/server/recipients/labels";
import { formatPoints, parsePoints } from "@/terms/points";

export const SHOWN_MAX = 200;

/** How a batch differs from `withId`. @throws DomainError `batch_not_found`, `validation_failed` */
export async function compareBatches(ctx: ServiceContext, { withId, ...key }: CompareInput) {
  const [after, before] = await Promise.all([
    findBatch(ctx, key.contractAddress, key.batchId),
    findBatch(ctx, key.contractAddress, withId),
  ]);
  if (before.pointType !== after.pointType)
    throw invalid(
      `The batch ${withId} is of another point type. Only batches of the same type can be compared.`,
    );
  const [earlier, later] = await Promise.all([readUnits(ctx, before), readUnits(ctx, after)]);
  const counts = { added: 0, removed: 0, changed: 0, same: 0 };
  const found: { toAddress: string; from: bigint | undefined; to: bigint | undefined; units: bigint }[] = [];
  let total = 0n;
  for (const toAddress of new Set([...earlier.keys(), ...later.keys()])) {
    const [from, to] = [earlier.get(toAddress), later.get(toAddress)];
    const units = (to ?? 0n) - (from ?? 0n);
    counts[from === to ? "same" : from === undefined ? "added" : to === undefined ? "removed" : "changed"]++;
    if (from !== to) found.push({ toAddress, from, to, units });
    total += units;
  }
  found.sort((one, other) => bySize(one.units, other.units) || (one.toAddress < other.toAddress ? -1 : 1));
  const shown = found.slice(0, SHOWN_MAX).map(({ toAddress, from, to, units }) => ({
    toAddress,
    before: from === undefined ? null : formatPoints(from),
    after: to === undefined ? null : formatPoints(to),
    /** Signed: `after` less `before`. */
    difference: formatPoints(units),
  }));
  return {
    /** The total of the batch less that of the other one, signed. */
    difference: formatPoints(total),
    counts,
    /** The largest differences first. */
    shown: await withLabels(ctx.db, shown),
  };
}
export type ComparedBatches = Awaited<ReturnType<typeof compareBatches>>;
export type Difference = ComparedBatches["shown"][number];

/** What each recipient gets, in units. */
const readUnits = async (ctx: ServiceContext, batch: StoredBatch): Promise<Map<string, bigint>> =>
  new Map((await findTransfers(ctx, batch)).map(({ toAddress, points }) => [toAddress, parsePoints(points)]));

const sizeOf = (units: bigint) => (units < 0n ? -units : units);
function bySize(one: bigint, other: bigint): number {
  const [left, right] = [sizeOf(one), sizeOf(other)];
  return left === right ? 0 : left > right ? -1 : 1;
}
