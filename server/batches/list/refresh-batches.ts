import { and, eq, sql } from "drizzle-orm";
import { batches } from "@/db/schema/batches";
import { contracts } from "@/db/schema/contracts";
import { batchReviews } from "@/db/schema/reviews";
import type { ServiceContext } from "../../kernel/context";
import { toTimestamp } from "../../kernel/values/batch-rows";
import type { BatchKey } from "../../kernel/values/batch-schema";
import type { ConsoleRefresh } from "./console-schema";
import type { BatchReview } from "./findings";
import { wantedKeys } from "./get-batch";
import { toConsoleBatch } from "./list-console-batches";
import { LISTED } from "./read-page";
import { readReversed } from "./reversals";

/** The current rows for these keys, in one statement with one index lookup per key, and one more if there is a reversal. */
export async function refreshBatches(
  ctx: ServiceContext,
  keys: readonly BatchKey[],
): Promise<ConsoleRefresh> {
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
