import { v7 as uuidv7 } from "uuid";
import { auditPersonChange } from "@/server/audit/audit-person-change";
import {
  approvalColumns,
  lockDay,
  passedDay,
  recognizeRepeat,
  type SubmittedBatch,
} from "@/server/batches/submit/submit-batch";
import type { ReverseBatchInput } from "@/server/batches/submit/submit-schema";
import { addressToBytes } from "@/server/kernel/address-bytes";
import { announce } from "@/server/kernel/announce";
import type { ServiceContext } from "@/server/kernel/context";
import { postgresError } from "@/server/kernel/database-errors";
import { crashPoint } from "@/server/kernel/process";
import { crossingShards } from "@/server/kernel/shards";
import { SUBMIT_LOCK_SPACE, submitLockKey } from "@/server/ledger/creation-order";
import { packTransfers, unpacked } from "@/server/ledger/packed-transfers";
import type { BatchLimits } from "@/terms/batch-limits";
import { DomainError } from "@/terms/problems";
import {
  type PreparedReversal,
  prepareReversal,
  refuseObstacles,
  requireReversalId,
} from "./prepare-reversal";

/** Constraints that refuse a reversal, one per obstacle. */
const REFUSED_BY = ["reversed_transfers_once", "accounts_available"] as const;

/** Maximum attempts when the obstacle was gone by the time it was looked up. */
const TRIES_MAX = 5;

/**
 * Stores a reversal and reserves its points at the recipients, in one statement. The database's constraints
 * decide: the key of `reversed_transfers` that a transfer is taken back once, `accounts_available` that
 * nobody gives up more than they have.
 * @throws DomainError those of `prepareReversal`; `already_reversed`, `recipients_short`,
 * `batch_id_conflict`, `batch_cancelled`, `unavailable`
 */
export async function reverseBatch(
  ctx: ServiceContext,
  limits: BatchLimits,
  input: ReverseBatchInput,
): Promise<SubmittedBatch> {
  const batchId = input.reversalId ?? uuidv7();
  await requireReversalId(ctx, input);
  const reversal = await prepareReversal(ctx, limits, input);
  const counted = { contractAddress: input.contractAddress, pointType: reversal.original.pointType };
  const weighsDay = await lockDay(ctx, counted);
  for (let tries = 0; tries < TRIES_MAX; tries++) {
    try {
      crashPoint("before-submit");
      const isNew = await crossingShards(
        ctx.db,
        async (on) => {
          if (weighsDay) await lockDay({ ...ctx, db: on }, counted);
          return await insertReversal({ ...ctx, db: on }, input, batchId, reversal);
        },
        weighsDay,
      );
      crashPoint("after-submit");
      if (isNew) return { batchId, replayed: false };
      return await recognizeRepeat(ctx, input.contractAddress, batchId, reversal.digest);
    } catch (cause) {
      if (!REFUSED_BY.some((name) => name === postgresError(cause)?.constraint)) throw cause;
      await refuseObstacles(ctx.db, reversal, cause);
    }
  }
  throw new DomainError("unavailable", "The recipients' balances are changing. Retry.", {
    headers: { "Retry-After": "1" },
  });
}

/**
 * Two reversals of the same transfers meet at the key of `reversed_transfers`, before either has locked an
 * account. So the accounts wait for all of its rows, and both are written in address order, as everywhere
 * else. `excluded.pending` carries the amount. A recipient's account always exists, so `earned` of the
 * proposed row is never stored, as in `settleStatement`.
 */
async function insertReversal(
  ctx: ServiceContext,
  input: ReverseBatchInput,
  batchId: string,
  { original, transfers, total, waitSeconds, digest }: PreparedReversal,
): Promise<boolean> {
  const { sql } = ctx.db;
  const contract = addressToBytes(input.contractAddress);
  const { addresses, points } = packTransfers(transfers);
  const detail = {
    reverses: input.batchId,
    pointType: original.pointType,
    points: total,
    transferCount: transfers.length,
    reason: input.reason ?? null,
  };
  const change = { contractAddress: input.contractAddress, batchId, detail };
  const [space, key] = [SUBMIT_LOCK_SPACE, submitLockKey(contract)];
  const rows = await sql`
    with created as materialized (
      select date_trunc('milliseconds', case
        when pg_advisory_xact_lock_shared(${space}::int, ${key}::int) is not null
        then clock_timestamp() end) as at, nextval('batches_seq_seq') as seq
    ), ${passedDay(ctx.db, { contract, pointType: original.pointType, batchId, total })} batch as (
      insert into batches (contract_address, seq, id, point_type, points, transfer_count, wait_seconds,
        digest, submitted_by, submit_request_id, keyless, created_at, finalize_at, approval_need,
        awaits_approval, token_created_by, reverses_seq, reversal_reason)
      overriding system value
      select o.contract_address, created.seq, ${batchId}, o.point_type, ${total}::text::numeric,
        ${transfers.length}::int, ${waitSeconds}::int, ${digest}::bytea, ${ctx.actor}, ${ctx.requestId},
        ${input.reversalId === undefined}::boolean,
        created.at, created.at + ${waitSeconds}::int * interval '1 second',
        ${approvalColumns(ctx, sql`${total}::text::numeric`)}, o.seq, ${input.reason ?? null}::text
      from batches o
        left join approval_rules r on r.contract_address = o.contract_address
          and r.contract_address = ${contract} and r.point_type = o.point_type, created
      where o.contract_address = ${contract} and o.seq = ${original.seq.toString()}::bigint
        and o.status = 'FINALIZED' and o.reverses_seq is null
      on conflict (contract_address, id) do nothing
      returning seq, contract_address, point_type, reverses_seq, created_at as at
    ), packed as materialized (
      select b.seq, b.contract_address, b.point_type, b.reverses_seq, ${addresses}::text::bytea as addresses,
        ${points}::text::numeric(38,12)[] as points
      from batch b
    ), stored as (
      insert into batch_transfers as t (batch_seq, contract_address, addresses, points)
      select seq, contract_address, addresses, points from packed
      returning t.batch_seq
    ), marked as (
      insert into reversed_transfers (contract_address, batch_seq, to_address, reversal_seq, points)
      select contract_address, reverses_seq, to_address, seq, points
      from (${unpacked(sql, "packed", "p.contract_address, p.reverses_seq, p.seq")}) as transfers
      order by to_address
      returning 1
    ), reserved as (
      insert into accounts as a (address, point_type, earned, pending)
      select to_address, point_type, points, points
      from (${unpacked(sql, "packed", "p.point_type")}) as transfers
      where (select count(*) from marked) = ${transfers.length}::int and (select count(*) from stored) = 1
      order by to_address
      on conflict (address, point_type) do update set pending = a.pending + excluded.pending
      returning 1
    )
    ${announce(ctx.db, "batch.created", "batch", [contract])}
    ${auditPersonChange(ctx, { ...change, action: "batch.reverse", changed: "batch" })}
    select b.seq from batch b where (select count(*) from reserved) = ${transfers.length}::int`;
  return rows.length === 1;
}
