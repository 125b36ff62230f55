import { findBatch, findTransfers, readMetadata, requireCancelled } from "@/server/batches/list/get-batch";
import { addressFromBytes } from "@/server/kernel/address-bytes";
import type { ServiceContext } from "@/server/kernel/context";
import type { BatchKey } from "@/terms/batch-schema";
import { nextBatchId } from "@/terms/batch-terms";

const ID_CHARS_MAX = 64;
const SUGGESTED_AMONG = 50;

/** What "New payout" is filled in with for a cancelled batch. @throws DomainError as `requireCancelled` */
export async function describeCorrection(ctx: ServiceContext, input: BatchKey) {
  const { contractAddress, batchId: corrects } = input;
  await requireCancelled(ctx, { contractAddress, corrects });
  const batch = await findBatch(ctx, contractAddress, corrects);
  const [transfers, metadata, batchId] = await Promise.all([
    findTransfers(ctx, batch),
    readMetadata(ctx, [batch]),
    suggestId(ctx, batch.contractAddress, corrects),
  ]);
  return {
    corrects,
    contractAddress: addressFromBytes(batch.contractAddress),
    pointType: batch.pointType,
    waitSeconds: batch.waitSeconds,
    transfers,
    metadata: metadata.get(batch.seq) ?? {},
    batchId,
  };
}
export type Correction = Awaited<ReturnType<typeof describeCorrection>>;

/** The next free ID. After this many corrections it keeps the last, which the form reports as used. */
async function suggestId(ctx: ServiceContext, contract: Buffer, id: string): Promise<string> {
  const ids: string[] = [];
  for (let next = id; ids.length < SUGGESTED_AMONG; ids.push(next)) next = nextBatchId(next, ID_CHARS_MAX);
  const used = await ctx.db.sql<{ id: string }[]>`
    select id from batches where contract_address = ${contract} and id = any(${ids}::text[])`;
  return ids.find((next) => !used.some((batch) => batch.id === next)) ?? ids.at(-1)!;
}
