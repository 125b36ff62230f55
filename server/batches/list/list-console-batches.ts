import { inArray } from "drizzle-orm";
import { contracts } from "@/db/schema/contracts";
import type { ServiceContext } from "../../kernel/context";
import { addressFromBytes } from "../../kernel/values/addresses";
import { type BatchRow, toBatchOut, toTimestamp } from "../../kernel/values/batch-rows";
import type { ConsoleBatch, ConsoleBatchPage, ConsoleListInput } from "./console-schema";
import type { BatchReview } from "./findings";
import { listBatches } from "./list-batches";
import { listSorted, sortsWhole } from "./list-sorted";
import { readReversed, reversesOf } from "./reversals";
import { LIST_SORTS } from "./sorts";
import { readStoredReviews } from "./stored-reviews";

interface ConsoleQuery extends ConsoleListInput {
  /** Leaves no batch out, even if only the latest could be sorted. For exports, whose order always has them all. */
  whole?: boolean;
}

/** One page of the console's batch list, for one or all contracts, with labels and the database's clock. */
export async function listConsoleBatches(
  ctx: ServiceContext,
  query: ConsoleQuery,
): Promise<ConsoleBatchPage> {
  const [page, now] = await Promise.all([readPageOf(ctx, query), databaseNow(ctx)]);
  return {
    batches: await withLabels(ctx, page.rows),
    cursor: page.cursor,
    sortedAmong: page.sortedAmong,
    now,
  };
}

async function readPageOf(ctx: ServiceContext, { sort = "DESC", whole, ...query }: ConsoleQuery) {
  const { by, descending } = LIST_SORTS[sort];
  if (by === "createdAt" && sortsWhole(query, sort))
    return {
      ...(await listBatches(ctx, { ...query, sort: descending ? "DESC" : "ASC" })),
      sortedAmong: null,
    };
  return listSorted(ctx, { ...query, sort, ...(whole && { whole }) });
}

/** The database's clock, which decides what is due, in RFC 3339. */
export async function databaseNow(ctx: ServiceContext): Promise<string> {
  const [row] = await ctx.db.sql<{ now: string | Date }[]>`select now()`;
  return toTimestamp(row!.now);
}

/** The labels of contracts, by address. */
export async function labelsOf(
  ctx: ServiceContext,
  addresses: readonly Buffer[],
): Promise<Map<string, string>> {
  const distinct = [...new Map(addresses.map((address) => [address.toString("hex"), address])).values()];
  const known = distinct.length
    ? await ctx.db.orm
        .select({ address: contracts.address, label: contracts.label })
        .from(contracts)
        .where(inArray(contracts.address, distinct))
    : [];
  return new Map(known.map((contract) => [addressFromBytes(contract.address), contract.label]));
}

/** Converts rows for the console, with contract labels and stored reviews. */
export async function withLabels(
  ctx: ServiceContext,
  rows: (BatchRow & { seq: bigint | string })[],
): Promise<ConsoleBatch[]> {
  if (rows.length === 0) return [];
  const [labels, reviews, reversed] = await Promise.all([
    labelsOf(
      ctx,
      rows.map((row) => row.contractAddress),
    ),
    readStoredReviews(ctx.db, rows),
    readReversed(ctx, rows),
  ]);
  return rows.map((row) => ({
    ...toConsoleBatch({
      ...row,
      contractLabel: labels.get(addressFromBytes(row.contractAddress)) ?? "",
      review: reviews.get(BigInt(row.seq)) ?? null,
    }),
    ...reversesOf(row, reversed),
  }));
}

/** Converts a row for the console. */
export function toConsoleBatch(
  row: BatchRow & { contractLabel: string; review: BatchReview | null },
): ConsoleBatch {
  return {
    ...toBatchOut(row),
    contractLabel: row.contractLabel,
    submittedBy: row.submittedBy,
    heldAt: row.status === "PENDING" && row.heldAt ? toTimestamp(row.heldAt) : null,
    awaitsApproval: row.status === "PENDING" && row.awaitsApproval,
    review: row.review,
  };
}
