import type { Column } from "drizzle-orm";
import type { Database } from "@/db/client";
import { batches } from "@/db/schema/batches";
import type { ServiceContext } from "../../kernel/context";
import { allPages } from "../../kernel/cursor";
import { addressFromBytes } from "../../kernel/values/addresses";
import { toTimestamp } from "../../kernel/values/batch-rows";
import type { BatchOutcome, ConsoleBatch, ExportedBatch } from "./console-schema";
import { type BatchFilters, COUNT_MAX, LIST_SORTS, type ListSort, rangedTime } from "./filters";
import { type StoredBatch, wantedKeys } from "./get-batch";
import { sortsWhole } from "./list-batches";
import { listConsoleBatches } from "./list-console-batches";

const PAGE_ROWS = 1000;

/**
 * Streams all filtered batches, one page at a time, so that memory stays bounded. In the list's order, unless more match than
 * the list sorts: then by a time that an index has, since an export leaves nothing out.
 */
export async function* exportBatches(
  ctx: ServiceContext,
  filters: BatchFilters,
  sort: ListSort = "DESC",
): AsyncGenerator<ExportedBatch[], void, undefined> {
  const isWhole = sortsWhole(filters, sort);
  if (!isWhole) {
    // In one page, because the next one would sort again what has changed in the meantime.
    const page = await listConsoleBatches(ctx, { ...filters, sort, limit: COUNT_MAX });
    if (page.sortedAmong === null && page.cursor === null)
      return yield await withOutcomes(ctx.db, page.batches);
  }
  const order = isWhole ? sort : inTime(filters, sort);
  const pages = allPages((cursor: string | null) =>
    listConsoleBatches(ctx, { ...filters, sort: order, whole: true, limit: PAGE_ROWS, cursor }),
  );
  for await (const { batches } of pages) if (batches.length > 0) yield await withOutcomes(ctx.db, batches);
}

/** An order in which all batches can be read page by page: the given one, if it is by the time that the filters find batches by. */
function inTime(filters: BatchFilters, sort: ListSort): ListSort {
  const time = rangedTime(filters);
  return LIST_SORTS[sort].by === time ? sort : LATEST_FIRST[time];
}

const LATEST_FIRST = { createdAt: "DESC", finalizeAt: "DUE_DESC", finalizedAt: "FINALIZED_DESC" } as const;

const COLUMNS = {
  finalizedAt: batches.finalizedAt,
  cancelledAt: batches.cancelledAt,
  cancelledBy: batches.cancelledBy,
  cancelReason: batches.cancelReason,
  heldBy: batches.heldBy,
  holdReason: batches.holdReason,
  approvedAt: batches.approvedAt,
  approvedBy: batches.approvedBy,
} satisfies Record<keyof BatchOutcome, Column>;

const NONE = Object.fromEntries(Object.keys(COLUMNS).map((name) => [name, null])) as Record<
  keyof BatchOutcome,
  null
>;

/**
 * Adds how each batch of a page ended, or who has it on hold. Lists do not read these columns, so exports look them up. A batch
 * that changed since its page was read keeps the outcome that belongs to the status of the page.
 */
export async function withOutcomes(db: Database, page: readonly ConsoleBatch[]): Promise<ExportedBatch[]> {
  const keys = page.map(({ contractAddress, id }) => ({ contractAddress, batchId: id }));
  const { wanted, isWanted } = wantedKeys(keys);
  const rows = await db.orm
    .select({ contractAddress: batches.contractAddress, id: batches.id, ...COLUMNS })
    .from(wanted)
    .innerJoin(batches, isWanted);
  const found = new Map(rows.map((row) => [`${addressFromBytes(row.contractAddress)} ${row.id}`, row]));
  return page.map((batch) => {
    const row = found.get(`${batch.contractAddress} ${batch.id}`);
    return { ...batch, ...NONE, ...(row && { ...approvalOf(batch, row), ...outcomeOf(batch, row) }) };
  });
}

type OutcomeRow = Pick<StoredBatch, keyof BatchOutcome>;

/** A page read before the approval shows none. */
const approvalOf = ({ awaitsApproval }: ConsoleBatch, row: OutcomeRow): Partial<BatchOutcome> =>
  awaitsApproval
    ? {}
    : { approvedAt: row.approvedAt && toTimestamp(row.approvedAt), approvedBy: row.approvedBy };

function outcomeOf({ status, heldAt }: ConsoleBatch, row: OutcomeRow): Partial<BatchOutcome> {
  if (status === "FINALIZED") return { finalizedAt: row.finalizedAt && toTimestamp(row.finalizedAt) };
  if (heldAt) return { heldBy: row.heldBy, holdReason: row.holdReason };
  if (status !== "CANCELLED") return {};
  return {
    cancelledAt: row.cancelledAt && toTimestamp(row.cancelledAt),
    cancelledBy: row.cancelledBy,
    cancelReason: row.cancelReason,
  };
}
