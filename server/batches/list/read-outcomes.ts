import { and, eq, sql } from "drizzle-orm";
import type { Database } from "@/db/client";
import { batches } from "@/db/schema/batches";
import { addressFromBytes, addressToBytes } from "../../kernel/values/addresses";
import { toTimestamp } from "../../kernel/values/batch-rows";
import type { ConsoleBatch, ExportedBatch } from "./console-schema";

type Outcome = Pick<
  ExportedBatch,
  | "finalizedAt"
  | "cancelledAt"
  | "cancelledBy"
  | "cancelReason"
  | "heldBy"
  | "holdReason"
  | "approvedAt"
  | "approvedBy"
>;

const NONE: Outcome = {
  finalizedAt: null,
  cancelledAt: null,
  cancelledBy: null,
  cancelReason: null,
  heldBy: null,
  holdReason: null,
  approvedAt: null,
  approvedBy: null,
};

/**
 * Adds how each batch of a page ended, or who has it on hold. Lists do not read these columns, so exports look them up. A batch
 * that changed since its page was read keeps the outcome that belongs to the status of the page.
 */
export async function withOutcomes(db: Database, page: readonly ConsoleBatch[]): Promise<ExportedBatch[]> {
  const addresses = page.map(({ contractAddress }) => addressToBytes(contractAddress).toString("hex"));
  const ids = page.map(({ id }) => id);
  const rows = await db.orm
    .select({
      contractAddress: batches.contractAddress,
      id: batches.id,
      finalizedAt: batches.finalizedAt,
      cancelledAt: batches.cancelledAt,
      cancelledBy: batches.cancelledBy,
      cancelReason: batches.cancelReason,
      heldBy: batches.heldBy,
      holdReason: batches.holdReason,
      approvedAt: batches.approvedAt,
      approvedBy: batches.approvedBy,
    })
    .from(
      sql`(select distinct decode(contract, 'hex') as contract, id
        from unnest(${sql.param(addresses)}::text[], ${sql.param(ids)}::text[]) as given (contract, id)) as wanted`,
    )
    .innerJoin(
      batches,
      and(eq(batches.contractAddress, sql`wanted.contract`), eq(batches.id, sql`wanted.id`)),
    );
  const found = new Map(rows.map((row) => [`${addressFromBytes(row.contractAddress)} ${row.id}`, row]));
  return page.map((batch) => {
    const row = found.get(`${batch.contractAddress} ${batch.id}`);
    return { ...batch, ...NONE, ...(row && { ...approvalOf(batch, row), ...outcomeOf(batch, row) }) };
  });
}

type OutcomeRow = { [Name in keyof Outcome]: (typeof batches.$inferSelect)[Name] };

/** A page read before the approval shows none. */
const approvalOf = ({ awaitsApproval }: ConsoleBatch, row: OutcomeRow): Partial<Outcome> =>
  awaitsApproval
    ? {}
    : { approvedAt: row.approvedAt && toTimestamp(row.approvedAt), approvedBy: row.approvedBy };

function outcomeOf({ status, heldAt }: ConsoleBatch, row: OutcomeRow): Partial<Outcome> {
  if (status === "FINALIZED") return { finalizedAt: row.finalizedAt && toTimestamp(row.finalizedAt) };
  if (heldAt) return { heldBy: row.heldBy, holdReason: row.holdReason };
  if (status !== "CANCELLED") return {};
  return {
    cancelledAt: row.cancelledAt && toTimestamp(row.cancelledAt),
    cancelledBy: row.cancelledBy,
    cancelReason: row.cancelReason,
  };
}
