import { and, eq, inArray, sql } from "drizzle-orm";
import { batches, batchReviews } from "@/db/schema/batches";
import { contracts } from "@/db/schema/contracts";
import type { ServiceContext } from "../../kernel/context";
import { addressArray, addressFromBytes, distinctAddresses } from "../../kernel/values/addresses";
import { type BatchRow, toBatchOut, toTimestamp } from "../../kernel/values/batch-rows";
import type { BatchKey } from "../../kernel/values/batch-schema";
import type { ConsoleBatch } from "./console-schema";
import type { BatchReview } from "./findings";
import { readReversed, wantedKeys } from "./get-batch";
import { type BatchQuery, LISTED, listBatches } from "./list-batches";

/** One page of the console's batch list, for one or all contracts, with labels and the database's clock for countdowns. */
export async function listConsoleBatches(ctx: ServiceContext, query: BatchQuery) {
  const [{ rows, ...page }, now] = await Promise.all([listBatches(ctx, query), databaseNow(ctx)]);
  return { batches: await toConsoleBatches(ctx, rows), ...page, now };
}

/** The current rows for these keys, in one statement with one index lookup per key, and one more if there is a reversal. */
export async function refreshBatches(ctx: ServiceContext, keys: readonly BatchKey[]) {
  const { wanted, isWanted } = wantedKeys(keys);
  const rows = await ctx.db.orm
    .select({
      ...LISTED,
      contractLabel: contracts.label,
      review: sql<BatchReview | null>`${batchReviews.findings}`,
      now: sql<string | Date>`now()`,
    })
    .from(wanted)
    .innerJoin(batches, isWanted)
    .innerJoin(contracts, eq(contracts.address, batches.contractAddress))
    .leftJoin(
      batchReviews,
      and(eq(batchReviews.contractAddress, batches.contractAddress), eq(batchReviews.batchSeq, batches.seq)),
    );
  const reversed = await readReversed(ctx, rows);
  return {
    batches: rows.map((row) => toConsoleBatch(row, reversed)),
    now: rows[0] ? toTimestamp(rows[0].now) : null,
  };
}

/** The database's clock, which decides what is due, in RFC 3339. */
export async function databaseNow(ctx: ServiceContext): Promise<string> {
  const [row] = await ctx.db.sql<{ now: string | Date }[]>`select now()`;
  return toTimestamp(row!.now);
}

export async function contractLabels(
  ctx: ServiceContext,
  addresses: readonly Buffer[],
): Promise<Map<string, string>> {
  const distinct = distinctAddresses(addresses);
  const known = distinct.length
    ? await ctx.db.orm
        .select({ address: contracts.address, label: contracts.label })
        .from(contracts)
        .where(inArray(contracts.address, distinct))
    : [];
  return new Map(known.map((contract) => [addressFromBytes(contract.address), contract.label]));
}

/** Converts rows for the console, with contract labels and stored reviews. */
export async function toConsoleBatches(
  ctx: ServiceContext,
  rows: (BatchRow & { seq: bigint | string })[],
): Promise<ConsoleBatch[]> {
  if (rows.length === 0) return [];
  const [labels, reviews, reversed] = await Promise.all([
    contractLabels(
      ctx,
      rows.map((row) => row.contractAddress),
    ),
    readStoredReviews(ctx, rows),
    readReversed(ctx, rows),
  ]);
  return rows.map((row) => {
    const contractLabel = labels.get(addressFromBytes(row.contractAddress)) ?? "";
    return toConsoleBatch({ ...row, contractLabel, review: reviews.get(BigInt(row.seq)) ?? null }, reversed);
  });
}

/** Converts a row for the console. @param reversed from `readReversed` */
export function toConsoleBatch(
  row: BatchRow & Pick<ConsoleBatch, "contractLabel" | "review">,
  reversed: ReadonlyMap<bigint, string>,
): ConsoleBatch {
  const isPending = row.status === "PENDING";
  return {
    ...toBatchOut(row, reversed),
    contractLabel: row.contractLabel,
    submittedBy: row.submittedBy,
    heldAt: isPending && row.heldAt ? toTimestamp(row.heldAt) : null,
    awaitsApproval: isPending && row.awaitsApproval,
    review: row.review,
  };
}

/** The stored findings of these batches, by sequence number. Only batches with an unusual finding have an entry. */
export async function readStoredReviews(
  { db: { sql } }: ServiceContext,
  batches: readonly { contractAddress: Buffer; seq: bigint | string }[],
): Promise<Map<bigint, BatchReview>> {
  if (batches.length === 0) return new Map();
  const contracts = distinctAddresses(batches.map(({ contractAddress }) => contractAddress));
  const rows = await sql<{ seq: string; findings: BatchReview }[]>`
    select batch_seq as seq, findings from batch_reviews
    where contract_address = any(${addressArray(contracts)}::bytea[])
      and batch_seq = any(${`{${batches.map(({ seq }) => seq).join(",")}}`}::text::bigint[])`;
  return new Map(rows.map(({ seq, findings }) => [BigInt(seq), findings]));
}
