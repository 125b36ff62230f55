import type { Database } from "@/db/client";
import type { PointType } from "../../kernel/values/point-types";
import { packTransfers, type Transfer } from "../../ledger/packed-transfers";
import type { Repeat } from "../list/findings";

const REPEATS_MAX = 5;
/** A digest that occurs more often than this is not searched to the end. */
export const SAME_DIGEST_MAX = 1000;
/** Number of the contract's latest cancelled batches whose transfers are compared. */
export const CANCELLED_MAX = 200;

interface Content {
  contract: Buffer;
  pointType: PointType;
  digest: Buffer;
  total: string;
  transfers: readonly Transfer[];
  createdAt: string;
  seq: string;
}

/**
 * Earlier batches with the same content, newest first, and cancelled ones with the same transfers. The digest includes the
 * wait, so a cancelled batch that is sent again with another wait has a different one. Its transfers are compared instead.
 */
export function findRepeats({ sql }: Pick<Database, "sql">, content: Content): Promise<Repeat[]> {
  const { contract, transfers } = content;
  const packed = packTransfers(transfers);
  return sql<Repeat[]>`
    with same_digest as materialized (
      select contract_address, seq from batches
      where digest = ${content.digest} and contract_address = ${contract} and seq < ${content.seq}::bigint
      limit ${SAME_DIGEST_MAX}
    ), cancelled as materialized (
      select seq, points, transfer_count from batches
      where contract_address = ${contract} and point_type = ${content.pointType}::point_type and status = 'CANCELLED' and reverses_seq is null
        and (created_at, seq) < (${content.createdAt}::timestamptz, ${content.seq}::bigint)
      order by created_at desc, seq desc limit ${CANCELLED_MAX}
    ), same_transfers as materialized (
      select t.batch_seq as seq from cancelled c join batch_transfers t on t.batch_seq = c.seq
      where t.contract_address = ${contract}
        and c.points = ${content.total}::text::numeric and c.transfer_count = ${transfers.length}::int
        and t.addresses = ${packed.addresses}::text::bytea and t.points = ${packed.points}::text::numeric(38,12)[]
    )
    select id, status, cancel_reason as "cancelReason", cancelled_by as "cancelledBy" from batches
    where contract_address = ${contract} and seq in (select seq from same_digest union select seq from same_transfers)
    order by seq desc limit ${REPEATS_MAX}` as Promise<Repeat[]>;
}
