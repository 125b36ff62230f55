import type { ServiceContext } from "../../kernel/context";
import type { BatchKey } from "../../kernel/values/batch-schema";
import { formatPoints, parsePoints, parseSum } from "../../kernel/values/points";
import { DomainError } from "../../kernel/values/problems";
import { withLabels } from "../../recipients/labels";
import type { CompareInput, ConsoleBatch, DifferenceKind } from "../list/console-schema";
import { findBatch, findCorrected, findReversed, findTransfers, type StoredBatch } from "../list/get-batch";
import { toConsoleBatches } from "../list/list-console-batches";

/** The differences on the page. The CSV has all. */
export const SHOWN_MAX = 200;

/** A recipient of either batch whose amounts differ. Several transfers to one recipient are added up. */
export interface Difference {
  toAddress: string;
  kind: DifferenceKind;
  before: string | null;
  after: string | null;
  /** Signed: `after` less `before`. */
  difference: string;
}

export interface LabelledDifference extends Difference {
  /** The recipient's label, or that of a contract; null without one. */
  label: string | null;
}

export interface ComparedBatches {
  before: ConsoleBatch;
  after: ConsoleBatch;
  /** The total of `after` less that of `before`, signed. */
  difference: string;
  counts: Record<DifferenceKind | "same", number>;
  /** The largest differences of the chosen kind first, at most `SHOWN_MAX`. */
  shown: LabelledDifference[];
}

/** The two batches and all that differs, the largest first. @throws DomainError `batch_not_found`, `validation_failed` */
async function findDifferences(ctx: ServiceContext, { withId, ...key }: CompareInput) {
  const [after, before] = await Promise.all([
    findBatch(ctx, key.contractAddress, key.batchId),
    findBatch(ctx, key.contractAddress, withId),
  ]);
  if (before.seq === after.seq)
    throw new DomainError("validation_failed", "This is the same batch. Choose another one.");
  if (before.pointType !== after.pointType)
    throw new DomainError(
      "validation_failed",
      `The batch ${withId} is of another point type. Only batches of the same type can be compared.`,
    );
  const [earlier, later] = await Promise.all([sumByRecipient(ctx, before), sumByRecipient(ctx, after)]);
  const found: (Difference & { units: bigint })[] = [];
  for (const toAddress of new Set([...earlier.keys(), ...later.keys()])) {
    const [from, to] = [earlier.get(toAddress), later.get(toAddress)];
    if (from === to) continue;
    const units = (to ?? 0n) - (from ?? 0n);
    found.push({
      toAddress,
      kind: from === undefined ? "added" : to === undefined ? "removed" : "changed",
      before: from === undefined ? null : formatPoints(from),
      after: to === undefined ? null : formatPoints(to),
      difference: formatPoints(units),
      units,
    });
  }
  found.sort((one, other) => bySize(one.units, other.units) || (one.toAddress < other.toAddress ? -1 : 1));
  const differences: Difference[] = found.map(({ units: _, ...difference }) => difference);
  return { before, after, differences, recipientsAfter: later.size };
}

export async function compareBatches(ctx: ServiceContext, input: CompareInput): Promise<ComparedBatches> {
  const { before, after, differences, recipientsAfter } = await findDifferences(ctx, input);
  const count = (kind: DifferenceKind) => ofKind(differences, kind).length;
  const [added, removed, changed] = [count("added"), count("removed"), count("changed")];
  const [both, shown] = await Promise.all([
    toConsoleBatches(ctx, [before, after]),
    withLabels(ctx.db, ofKind(differences, input.show).slice(0, SHOWN_MAX)),
  ]);
  return {
    before: both[0]!,
    after: both[1]!,
    difference: formatPoints(parseSum(both[1]!.points) - parseSum(both[0]!.points)),
    counts: { added, removed, changed, same: recipientsAfter - added - changed },
    shown,
  };
}

/** All differences of the chosen kind, in the order of the page. @throws as `findDifferences` */
export async function listDifferences(
  ctx: ServiceContext,
  input: CompareInput,
): Promise<LabelledDifference[]> {
  const { differences } = await findDifferences(ctx, input);
  return withLabels(ctx.db, ofKind(differences, input.show));
}

const ofKind = (differences: readonly Difference[], kind: DifferenceKind | undefined) =>
  differences.filter((difference) => kind === undefined || difference.kind === kind);

/**
 * ID of the batch to compare with when none is chosen: the one that it corrects or takes back, or the contract's previous
 * finalized payment of the type.
 * @throws DomainError `batch_not_found`
 */
export async function findCompared(ctx: ServiceContext, input: BatchKey): Promise<string | null> {
  const batch = await findBatch(ctx, input.contractAddress, input.batchId);
  const corrects = await findCorrected(ctx, batch);
  if (corrects !== null) return corrects;
  const reverses = await findReversed(ctx, batch);
  if (reverses !== null) return reverses;
  const [previous] = await ctx.db.sql<{ id: string }[]>`
    select id from batches
    where contract_address = ${batch.contractAddress} and point_type = ${batch.pointType}::point_type
      and status = 'FINALIZED' and reverses_seq is null
      and (created_at, seq) < (${batch.createdAt.toISOString()}::timestamptz, ${batch.seq.toString()}::bigint)
    order by created_at desc, seq desc limit 1`;
  return previous?.id ?? null;
}

/** What each recipient gets, in units. A batch of an earlier version may pay one recipient several times. */
async function sumByRecipient(ctx: ServiceContext, batch: StoredBatch): Promise<Map<string, bigint>> {
  const sums = new Map<string, bigint>();
  for (const { toAddress, points } of await findTransfers(ctx, batch))
    sums.set(toAddress, (sums.get(toAddress) ?? 0n) + parsePoints(points));
  return sums;
}

const sizeOf = (units: bigint) => (units < 0n ? -units : units);
function bySize(one: bigint, other: bigint): number {
  const [left, right] = [sizeOf(one), sizeOf(other)];
  return left === right ? 0 : left > right ? -1 : 1;
}
