import type { Database } from "@/db/client";
import { addressToBytes } from "@/server/kernel/address-bytes";
import { withoutTriggers } from "./factories";

interface Instants {
  createdAt?: string;
  finalizedAt?: string;
  cancelledAt?: string;
  /** Whether a batch that is still pending is due. */
  isDue?: boolean;
}

/** About 30 years. A batch that was moved and not finalized is still not due. */
const NOT_DUE_SECONDS = 1_000_000_000;

const hexOf = (address: string) => `decode('${addressToBytes(address).toString("hex")}', 'hex')`;

/**
 * Moves what happened to a batch to other instants, as if it had happened then. Its issuance moves with its
 * creation. Call it before the batch is in the recipient index.
 */
export async function moveBatch(
  db: Database,
  { contractAddress, batchId }: { contractAddress: string; batchId: string },
  { createdAt, finalizedAt, cancelledAt, isDue = finalizedAt !== undefined }: Instants,
): Promise<void> {
  const changedAt = finalizedAt ?? cancelledAt;
  const waitSeconds = isDue ? 0 : NOT_DUE_SECONDS;
  const finalizeAt = createdAt && new Date(Date.parse(createdAt) + waitSeconds * 1000).toISOString();
  const changes = [
    ...(createdAt
      ? [`created_at = '${createdAt}', finalize_at = '${finalizeAt}', wait_seconds = ${waitSeconds}`]
      : []),
    ...(finalizedAt ? [`finalized_at = '${finalizedAt}'`] : []),
    ...(cancelledAt ? [`cancelled_at = '${cancelledAt}'`] : []),
    ...(changedAt ? [`updated_at = '${changedAt}'`] : []),
  ];
  const contract = hexOf(contractAddress);
  await withoutTriggers(
    db,
    `update batches set ${changes.join(", ")} where contract_address = ${contract} and id = '${batchId}'`,
  );
  if (!createdAt) return;
  const [row] = await db.sql<{ seq: string }[]>`
    select seq from batches where contract_address = ${addressToBytes(contractAddress)} and id = ${batchId}`;
  await db.sql`
    update issuances set created_at = ${createdAt}::timestamptz
    where contract_address = ${addressToBytes(contractAddress)} and batch_seq = ${row!.seq}::bigint`;
}
