import { and, eq, sql } from "drizzle-orm";
import { batches } from "@/db/schema/batches";
import { contracts } from "@/db/schema/contracts";
import { batchReviews } from "@/db/schema/reviews";
import type { ServiceContext } from "../../kernel/context";
import { addressToBytes } from "../../kernel/values/addresses";
import { toTimestamp } from "../../kernel/values/batch-rows";
import type { BatchKey } from "../../kernel/values/batch-schema";
import type { ConsoleRefresh } from "./console-schema";
import type { BatchReview } from "./findings";
import { toConsoleBatch } from "./list-console-batches";
import { LISTED } from "./read-page";
import { readReversed, reversesOf } from "./reversals";

/** The current rows for these keys, in one statement with one index lookup per key, and one more if there is a reversal. */
export async function refreshBatches(
  ctx: ServiceContext,
  keys: readonly BatchKey[],
): Promise<ConsoleRefresh> {
  const addresses = keys.map(({ contractAddress }) => addressToBytes(contractAddress).toString("hex"));
  const ids = keys.map(({ batchId }) => batchId);
  const rows = await ctx.db.orm
    .select({
      ...LISTED,
      contractLabel: contracts.label,
      review: sql<BatchReview | null>`${batchReviews.findings}`,
      now: sql<string | Date>`now()`,
    })
    .from(
      sql`(select distinct decode(contract, 'hex') as contract, id
        from unnest(${sql.param(addresses)}::text[], ${sql.param(ids)}::text[]) as given (contract, id)) as wanted`,
    )
    .innerJoin(
      batches,
      and(eq(batches.contractAddress, sql`wanted.contract`), eq(batches.id, sql`wanted.id`)),
    )
    .innerJoin(contracts, eq(contracts.address, batches.contractAddress))
    .leftJoin(
      batchReviews,
      and(eq(batchReviews.contractAddress, batches.contractAddress), eq(batchReviews.batchSeq, batches.seq)),
    );
  const reversed = await readReversed(ctx, rows);
  return {
    batches: rows.map((row) => ({ ...toConsoleBatch(row), ...reversesOf(row, reversed) })),
    now: rows[0] ? toTimestamp(rows[0].now) : null,
  };
}
