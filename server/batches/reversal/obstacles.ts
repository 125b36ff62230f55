import type { Database } from "@/db/client";
import { addressFromBytes, addressToBytes } from "../../kernel/values/addresses";
import {
  type BatchRow,
  REVERSAL_COLUMNS,
  type ReversalState,
  toReversalState,
} from "../../kernel/values/batch-rows";
import { parsePoints } from "../../kernel/values/points";
import { DomainError } from "../../kernel/values/problems";
import { balancesOf } from "../../ledger/accounts";
import { packTransfers, type Transfer, unpacked } from "../../ledger/packed-transfers";
import type { StoredBatch } from "../list/get-batch";
import type { PreparedReversal } from "./prepare-reversal";

/** Transfers that cannot be taken back now. */
interface Obstacles {
  /** Transfers that another reversal has taken back, or will. */
  reversed: { toAddress: string; reversal: ReversalState }[];
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
    sql<(BatchRow & { to_address: Buffer })[]>`
      with ${packed}, wanted as materialized (select to_address, position from (${unpacked(sql, "packed", "1")}) as w),
      marks as materialized (
        select r.to_address, ${sql.unsafe(REVERSAL_COLUMNS)} from reversed_transfers r
        join batches b on b.contract_address = r.contract_address and b.seq = r.reversal_seq
        where r.contract_address = ${contract} and b.contract_address = ${contract}
          and r.batch_seq = ${seq.toString()}::bigint
      )
      select m.* from marks m join wanted w on w.to_address = m.to_address order by w.position`,
    balancesOf(
      db,
      transfers.map(({ toAddress }) => addressToBytes(toAddress)),
    ),
  ]);
  return {
    reversed: reversed.map((row) => ({
      toAddress: addressFromBytes(row.to_address),
      reversal: toReversalState(row),
    })),
    short: transfers
      .map(({ toAddress, points: needed }) => {
        const { available } = balances(addressToBytes(toAddress))[pointType];
        return { toAddress, available, needed };
      })
      .filter(({ available, needed }) => parsePoints(available) < parsePoints(needed)),
  };
}

/**
 * Nothing if there are no obstacles any more.
 * @throws DomainError `already_reversed`, `recipients_short`
 */
export async function refuseObstacles(
  db: Database,
  { original, transfers }: Pick<PreparedReversal, "original" | "transfers">,
  cause?: unknown,
): Promise<void> {
  const { reversed, short } = await findObstacles(db, original, transfers);
  if (reversed.length > 0) {
    const named = reversed.map(
      ({ toAddress, reversal }) => `${toAddress} (by ${reversal.id}, ${reversal.status})`,
    );
    throw new DomainError("already_reversed", `Already taken back, or about to be: ${listed(named)}.`, {
      extra: {
        reversed: reversed.map(({ toAddress, reversal: { id, status, finalizeAt } }) => ({
          toAddress,
          batchId: id,
          batchStatus: status,
          finalizeAt,
        })),
      },
      cause,
    });
  }
  if (short.length > 0) {
    const named = short.map(
      ({ toAddress, available, needed }) =>
        `${toAddress} has ${available} of ${needed} ${original.pointType}`,
    );
    throw new DomainError("recipients_short", `Recipients have too few points available: ${listed(named)}.`, {
      extra: { recipients: short },
      cause,
    });
  }
}

/** Addresses that a message names. The problem's own members have all of them. */
const NAMED_MAX = 3;

function listed(items: readonly string[]): string {
  const rest = items.length - NAMED_MAX;
  return items.slice(0, NAMED_MAX).join(", ") + (rest > 0 ? ` and ${rest} more` : "");
}
