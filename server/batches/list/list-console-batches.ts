import { inArray } from "drizzle-orm";
import { contracts } from "@/db/schema/contracts";
import type { ServiceContext } from "../../kernel/context";
import { addressFromBytes, distinctAddresses } from "../../kernel/values/addresses";
import { type BatchRow, toBatchOut, toTimestamp } from "../../kernel/values/batch-rows";
import type { ConsoleBatch, ConsoleBatchPage, ConsoleListInput } from "./console-schema";
import { listBatches } from "./list-batches";
import { listSorted, sortsWhole } from "./list-sorted";
import { readReversed } from "./reversals";
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
    batches: await toConsoleBatches(ctx, page.rows),
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
    readStoredReviews(ctx.db, rows),
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
