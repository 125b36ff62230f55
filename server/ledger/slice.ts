import type { TransactionSql } from "postgres";
import type { Checkpoint } from "./checkpoint";

/** What one check looks at of what is old; each part goes on where the slice before it ended. */
export interface Slice {
  /** The last slice has no upper ends: it takes what came meanwhile. */
  isLast: boolean;
  /** Batches above the first, up to the second, in order of creation. */
  createdAfter: string;
  seqAfter: string;
  lastCreatedAt: string;
  lastBatchSeq: string;
  /** Transfers whose batches have sequences above the first, up to the second. */
  transfersAfterSeq: string;
  transfersToSeq: string;
  /** Addresses of accounts and contracts above the first, up to the second. */
  addressAfter: Buffer;
  lastAddress: Buffer;
}

/** The bounds of the checkpoint's next slice. */
export async function nextSlice(tx: TransactionSql, at: Checkpoint): Promise<Slice> {
  const { slices, slicesDone, batchSeqMax, lastCreatedAt, lastBatchSeq, lastAddress } = at;
  const seqAt = (part: number) => String((BigInt(batchSeqMax) * BigInt(part)) / BigInt(slices));
  const [batch] = await tx<{ createdAt: string; seq: string }[]>`
    select created_at::text as "createdAt", batches.seq::text as seq from batches
    where (created_at, batches.seq) > (${lastCreatedAt}::timestamptz, ${lastBatchSeq}::bigint)
    order by created_at, batches.seq
    offset greatest(${at.sliceBatches}::bigint, 1) - 1 limit 1`;
  const [account] = await tx<{ address: Buffer }[]>`
    select address from accounts where address > ${lastAddress}
    order by address, point_type offset greatest(${at.sliceAccounts}::bigint, 1) - 1 limit 1`;
  return {
    isLast: slicesDone + 1 >= slices,
    createdAfter: lastCreatedAt,
    seqAfter: lastBatchSeq,
    lastCreatedAt: batch?.createdAt ?? "infinity",
    lastBatchSeq: batch?.seq ?? "0",
    transfersAfterSeq: seqAt(slicesDone),
    transfersToSeq: seqAt(slicesDone + 1),
    addressAfter: lastAddress,
    lastAddress: account?.address ?? LAST_ADDRESS,
  };
}

/** No address is greater: 21 bytes. */
const LAST_ADDRESS = Buffer.alloc(21, 0xff);

/** Batches of the slice, as a condition on `batches b`. */
export function batchesOf(tx: TransactionSql, slice: Slice) {
  const { isLast, createdAfter, seqAfter, lastCreatedAt, lastBatchSeq } = slice;
  const upTo = isLast
    ? tx``
    : tx`and (b.created_at, b.seq) <= (${lastCreatedAt}::timestamptz, ${lastBatchSeq}::bigint)`;
  return tx`(b.created_at, b.seq) > (${createdAfter}::timestamptz, ${seqAfter}::bigint) ${upTo}`;
}

/** Transfers of the slice, as a condition on `transfers t`: one range of its primary key. */
export function transfersOf(tx: TransactionSql, slice: Slice) {
  const upTo = slice.isLast ? tx`` : tx`and t.batch_seq <= ${slice.transfersToSeq}::bigint`;
  return tx`t.batch_seq > ${slice.transfersAfterSeq}::bigint ${upTo}`;
}

/** Addresses of the slice, as a condition on a column. */
export function addressesOf(tx: TransactionSql, slice: Slice, column: string) {
  const upTo = slice.isLast ? tx`` : tx`and ${tx(column)} <= ${slice.lastAddress}`;
  return tx`${tx(column)} > ${slice.addressAfter} ${upTo}`;
}
