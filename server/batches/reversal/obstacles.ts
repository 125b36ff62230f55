import type { Database } from "@/db/client";
import { addressFromBytes, addressToBytes } from "../../kernel/values/addresses";
import { parsePoints } from "../../kernel/values/points";
import { balancesOf } from "../../ledger/accounts";
import { packTransfers, type Transfer, unpacked } from "../../ledger/packed-transfers";
import type { StoredBatch } from "../list/get-batch";

/** A transfer that cannot be taken back now. */
export interface Obstacles {
  /** Transfers that another reversal takes back. */
  reversed: { toAddress: string; batchId: string }[];
  /** Recipients that have less than they would have to give up. Wallets never spend, so these are contracts. */
  short: { toAddress: string; available: string; needed: string }[];
}

/** What prevents some transfers of a batch from being taken back. */
export async function findObstacles(
  db: Database,
  original: Pick<StoredBatch, "contractAddress" | "seq" | "pointType">,
  transfers: readonly Transfer[],
): Promise<Obstacles> {
  const { sql } = db;
  const { contractAddress: contract, seq, pointType } = original;
  const { addresses, points } = packTransfers(transfers);
  const packed = sql`packed as materialized (
    select ${addresses}::text::bytea as addresses, ${points}::text::numeric(38,12)[] as points)`;
  const [reversed, balances] = await Promise.all([
    sql<{ to_address: Buffer; id: string }[]>`
      with ${packed}, wanted as materialized (select to_address, position from (${unpacked(sql, "packed", "1")}) as w),
      marks as materialized (
        select r.to_address, b.id from reversed_transfers r
        join batches b on b.contract_address = r.contract_address and b.seq = r.reversal_seq
        where r.contract_address = ${contract} and b.contract_address = ${contract}
          and r.batch_seq = ${seq.toString()}::bigint
      )
      select m.to_address, m.id from marks m join wanted w on w.to_address = m.to_address order by w.position`,
    balancesOf(
      db,
      transfers.map(({ toAddress }) => addressToBytes(toAddress)),
    ),
  ]);
  return {
    reversed: reversed.map(({ to_address, id }) => ({
      toAddress: addressFromBytes(to_address),
      batchId: id,
    })),
    short: transfers
      .map(({ toAddress, points: needed }) => {
        const { available } = balances(addressToBytes(toAddress))[pointType];
        return { toAddress, available, needed };
      })
      .filter(({ available, needed }) => parsePoints(available) < parsePoints(needed)),
  };
}
