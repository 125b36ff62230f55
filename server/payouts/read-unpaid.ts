import { toConsoleBatches } from "@/server/batches/list/list-console-batches";
import { LISTED_COLUMNS } from "@/server/batches/list/listed-rows";
import { batchesOf } from "@/server/batches/list/not-paid";
import { addressToBytes } from "@/server/kernel/address-bytes";
import { type ListedBatch, seqArray } from "@/server/kernel/batch-rows";
import type { ServiceContext } from "@/server/kernel/context";
import type { PayoutKey } from "./schema";

const SHOWN_MAX = 200;

/** Which batches of a payout were cancelled, by whom, and why, with the latest batch sent in its place. */
export async function findStops({ db }: ServiceContext, key: PayoutKey) {
  const contract = addressToBytes(key.contractAddress);
  return await db.sql<{ batchId: string; by: string; reason: string | null; correctedBy: string | null }[]>`
    select b.id as "batchId", b.cancelled_by as by, b.cancel_reason as reason, (
      select c.id
      from batch_corrections k
        join batches c on c.contract_address = k.contract_address and c.seq = k.batch_seq
      where k.contract_address = ${contract} and c.contract_address = ${contract} and k.corrects_seq = b.seq
      order by k.batch_seq desc
      limit 1
    ) as "correctedBy"
    from ${batchesOf(db, key)} and b.status = 'CANCELLED'
    order by p.part, b.seq
    limit ${SHOWN_MAX}`;
}

/** What takes these batches back, the latest first. */
export async function findPayoutReversals(ctx: ServiceContext, parts: readonly ListedBatch[]) {
  const { sql } = ctx.db;
  const { contractAddress } = parts[0]!;
  const rows = await sql<ListedBatch[]>`
    select ${sql.unsafe(LISTED_COLUMNS)}
    from batches
    where contract_address = ${contractAddress}
      and reverses_seq = any(${seqArray(parts)}::text::bigint[])
    order by seq desc
    limit ${SHOWN_MAX}`;
  return await toConsoleBatches(ctx, rows, false);
}
