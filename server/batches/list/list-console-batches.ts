import type { Sql } from "postgres";
import { addressArray, addressFromBytes, distinctAddresses } from "@/server/kernel/address-bytes";
import {
  type BatchRow,
  type ListedBatch,
  ofBatches,
  toBatchOut,
  toTimestamp,
} from "@/server/kernel/batch-rows";
import type { ServiceContext } from "@/server/kernel/context";
import type { BatchKey } from "@/terms/batch-schema";
import { whyUnusual } from "@/terms/finding-text";
import { type BatchReview, startsAlert } from "@/terms/findings";
import type { ConsoleBatch } from "./console-schema";
import { readReversed } from "./get-batch";
import { type BatchQuery, listBatches } from "./list-batches";
import { LISTED_COLUMNS } from "./listed-rows";
import { readPayouts } from "./read-payouts";

export async function listConsoleBatches(ctx: ServiceContext, query: BatchQuery) {
  const { rows, ...page } = await listBatches(ctx, query);
  return { batches: await toConsoleBatches(ctx, rows), ...page };
}

/** The current rows for these keys, with one index lookup per key. */
export async function refreshBatches(ctx: ServiceContext, keys: readonly BatchKey[]) {
  const { sql } = ctx.db;
  const rows = await sql<(ListedBatch & { now: string })[]>`
    with ${wantedBatches(sql, keys)}
    select ${sql.unsafe(LISTED_COLUMNS)}, now() as now
    from wanted w join batches on batches.contract_address = w.contract and batches.id = w.id`;
  return { batches: await toConsoleBatches(ctx, rows), now: rows[0] ? toTimestamp(rows[0].now) : null };
}

/** A CTE `wanted` with the `contract` and `id` of each of these batches, once. */
export const wantedBatches = (sql: Sql, keys: readonly BatchKey[]) => sql`wanted as materialized (
    select distinct decode(contract, 'hex') as contract, id
    from unnest(${keys.map(({ contractAddress }) => contractAddress.slice(2))}::text[],
      ${keys.map(({ batchId }) => batchId)}::text[]) as given (contract, id)
  )`;

/** The database's clock, which decides what is due, in RFC 3339. */
export async function databaseNow(ctx: ServiceContext): Promise<string> {
  const [row] = await ctx.db.sql<{ now: string | Date }[]>`select now()`;
  return toTimestamp(row!.now);
}

export async function contractLabels(
  ctx: ServiceContext,
  addresses: readonly Buffer[],
): Promise<Map<string, string>> {
  const known = await ctx.db.sql<{ address: Buffer; label: string }[]>`
    select address, label
    from contracts
    where address = any(${addressArray(distinctAddresses(addresses))}::bytea[])`;
  return new Map(known.map((contract) => [addressFromBytes(contract.address), contract.label]));
}

/**
 * Converts rows for the console, with contract labels and stored reviews.
 * @param withPayouts false where their payouts are not shown
 */
export async function toConsoleBatches(
  ctx: ServiceContext,
  rows: StoredRow[],
  withPayouts = true,
): Promise<ConsoleBatch[]> {
  if (rows.length === 0) return [];
  const reversals = rows.filter(({ reversesSeq }) => reversesSeq !== null);
  const [labels, reviews, reversed, payouts, takeBacks, backs] = await Promise.all([
    contractLabels(
      ctx,
      rows.map((row) => row.contractAddress),
    ),
    readStoredReviews(ctx, rows),
    readReversed(ctx, rows),
    readPayouts(ctx, withPayouts ? rows : []),
    readPayouts(ctx, withPayouts ? reversals : [], "reversals"),
    ctx.db.sql<{ seq: string; points: string }[]>`
      select reverses_seq as seq, trim_scale(sum(points))::text as points from batches
      where ${ofBatches(ctx.db.sql, "batches", "reverses_seq", rows)} and status = 'FINALIZED' group by 1`,
  ]);
  const takenBack = new Map(backs.map(({ seq, points }) => [BigInt(seq), points]));
  return rows.map((row) => {
    const seq = BigInt(row.seq);
    const isPending = row.status === "PENDING";
    return {
      ...toBatchOut(row, reversed),
      contractLabel: labels.get(addressFromBytes(row.contractAddress)) ?? "",
      submittedBy: row.submittedBy,
      heldAt: isPending && row.heldAt ? toTimestamp(row.heldAt) : null,
      holdReason: isPending ? row.holdReason : null,
      heldForPayout: isPending && row.heldForPayout,
      heldApart: isPending && row.heldApart,
      awaitsApproval: isPending && row.awaitsApproval,
      flag: flagOf(reviews.get(seq)),
      payout: payouts.get(seq) ?? null,
      takesBack: takeBacks.get(seq) ?? null,
      takenBack: takenBack.get(seq),
    };
  });
}

/** New recipients alone are no flag. */
function flagOf(review: BatchReview | undefined): ConsoleBatch["flag"] {
  if (!review || !startsAlert(review)) return null;
  return { level: review.level === "alarming" ? "alarming" : "unusual", why: whyUnusual(review) };
}

type StoredRow = BatchRow & { seq: bigint | string };

/**
 * The stored findings of these batches, by sequence number. Only batches with an unusual finding have an
 * entry.
 */
export async function readStoredReviews(
  { db: { sql } }: ServiceContext,
  batches: readonly { contractAddress: Buffer; seq: bigint | string }[],
): Promise<Map<bigint, BatchReview>> {
  if (batches.length === 0) return new Map();
  const rows = await sql<{ seq: string; findings: BatchReview }[]>`
    select batch_seq as seq, findings
    from batch_reviews
    where ${ofBatches(sql, "batch_reviews", "batch_seq", batches)}`;
  return new Map(rows.map(({ seq, findings }) => [BigInt(seq), findings]));
}
