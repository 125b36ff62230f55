import { and, asc, eq } from "drizzle-orm";
import { batches, transfers } from "@/db/schema/batches";
import type { ServiceContext } from "../context";
import { addressFromBytes, addressToBytes } from "../ledger/addresses";
import { shortestPoints } from "../ledger/points";
import { DomainError } from "../problems";

export type StoredBatch = typeof batches.$inferSelect;

/** One batch of a contract. @throws DomainError `batch_not_found` */
export async function findBatch(
  ctx: ServiceContext,
  contractAddress: string,
  batchId: string,
): Promise<StoredBatch> {
  const [row] = await ctx.db.orm
    .select()
    .from(batches)
    .where(and(eq(batches.contractAddress, addressToBytes(contractAddress)), eq(batches.id, batchId)))
    .limit(1)
    .prepare("batch")
    .execute();
  if (!row) throw new DomainError("batch_not_found", `The contract has no batch ${batchId}.`);
  return row;
}

/** All transfers of a batch, in the order sent. */
export async function findTransfers(ctx: ServiceContext, batch: { contractAddress: Buffer; seq: bigint }) {
  const rows = await ctx.db.orm
    .select({ toAddress: transfers.toAddress, points: transfers.points })
    .from(transfers)
    .where(and(eq(transfers.batchSeq, batch.seq), eq(transfers.contractAddress, batch.contractAddress)))
    .orderBy(asc(transfers.position))
    .prepare("batch_transfers")
    .execute();
  return rows.map((row) => ({
    toAddress: addressFromBytes(row.toAddress),
    points: shortestPoints(row.points),
  }));
}
