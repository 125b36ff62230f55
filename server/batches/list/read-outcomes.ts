import type { Column } from "drizzle-orm";
import type { Database } from "@/db/client";
import { batches } from "@/db/schema/batches";
import { addressFromBytes } from "../../kernel/values/addresses";
import { toTimestamp } from "../../kernel/values/batch-rows";
import type { BatchOutcome, ConsoleBatch, ExportedBatch } from "./console-schema";
import { type StoredBatch, wantedKeys } from "./get-batch";

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
