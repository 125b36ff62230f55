import { and, eq, sql } from "drizzle-orm";
import { batches, batchTransfers } from "@/db/schema/batches";
import type { ServiceContext } from "../../kernel/context";
import { addressToBytes } from "../../kernel/values/addresses";
import type { BatchKey } from "../../kernel/values/batch-schema";
import { DomainError } from "../../kernel/values/problems";
import { type Transfer, unpackTransfers } from "../../ledger/packed-transfers";

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

/** Keys as a table that joins `batches` on `isWanted`, with one index lookup per key. */
export function wantedKeys(keys: readonly BatchKey[]) {
  const addresses = keys.map(({ contractAddress }) => addressToBytes(contractAddress).toString("hex"));
  const ids = keys.map(({ batchId }) => batchId);
  return {
    wanted: sql`(select distinct decode(contract, 'hex') as contract, id
        from unnest(${sql.param(addresses)}::text[], ${sql.param(ids)}::text[]) as given (contract, id)) as wanted`,
    isWanted: and(eq(batches.contractAddress, sql`wanted.contract`), eq(batches.id, sql`wanted.id`)),
  };
}

/** All transfers of a batch, in the order sent. */
export async function findTransfers(
  ctx: Pick<ServiceContext, "db">,
  batch: { contractAddress: Buffer; seq: bigint },
): Promise<Transfer[]> {
  const [packed] = await ctx.db.orm
    .select({ addresses: batchTransfers.addresses, points: sql<string>`${batchTransfers.points}::text` })
    .from(batchTransfers)
    .where(
      and(eq(batchTransfers.batchSeq, batch.seq), eq(batchTransfers.contractAddress, batch.contractAddress)),
    )
    .prepare("batch_transfers")
    .execute();
  return unpackTransfers(packed!);
}
