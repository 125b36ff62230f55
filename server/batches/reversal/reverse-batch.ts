import type { Fragment } from "postgres";
import { v7 as uuidv7 } from "uuid";
import type { Database } from "@/db/client";
import { auditPersonChange } from "@/server/audit/audit-person-change";
import { auditedItems, type GroupInput, type JobItems, openItems } from "@/server/batches/change/job-item";
import {
  approvalColumns,
  passedDay,
  recognizeRepeat,
  type SubmittedBatch,
  weighsDay,
} from "@/server/batches/submit/submit-batch";
import type { ReverseBatchInput } from "@/server/batches/submit/submit-schema";
import { addressToBytes } from "@/server/kernel/address-bytes";
import { announce } from "@/server/kernel/announce";
import type { ServiceContext } from "@/server/kernel/context";
import { postgresError } from "@/server/kernel/database-errors";
import { crashPoint } from "@/server/kernel/process";
import { unavailable } from "@/server/kernel/retry-after";
import { crossingShards } from "@/server/kernel/shards";
import { SUBMIT_LOCK_SPACE, submitLockKey } from "@/server/ledger/creation-order";
import { packTransfers, unpacked } from "@/server/ledger/packed-transfers";
import type { BatchLimits } from "@/terms/batch-limits";
import type { PointType } from "@/terms/batch-terms";
import {
  type NewReversal,
  prepareReversal,
  prepareReversals,
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
  const { contractAddress, reason } = input;
  const { total, waitSeconds, original } = reversal;
  const counted = { contractAddress, pointType: original.pointType };
  const { sql } = ctx.db;
  const terms = {
    ...{ ...counted, waitSeconds, reason },
    isKeyless: input.reversalId === undefined,
    weigh: passedDay(ctx.db, { ...counted, contract: addressToBytes(contractAddress), batchId, total }),
    approval: approvalColumns(ctx, sql`${total}::text::numeric`),
  };
  const isWeighed = await weighsDay(ctx, counted);
  for (let tries = 0; tries < TRIES_MAX; tries++) {
    try {
      crashPoint("before-submit");
      const isNew = await crossingShards(
        ctx.db,
        async (on) => {
          if (isWeighed) await weighsDay({ ...ctx, db: on }, counted, { lock: true });
          return (await insertReversals({ ...ctx, db: on }, [{ ...reversal, batchId }], terms)) === 1;
        },
        isWeighed,
      );
      crashPoint("after-submit");
      if (isNew) return { batchId, replayed: false };
      return await recognizeRepeat(ctx, input.contractAddress, batchId, reversal.digest);
    } catch (cause) {
      if (!REFUSED_BY.some((name) => name === postgresError(cause)?.constraint)) throw cause;
      await refuseObstacles(ctx.db, reversal, cause);
    }
  }
  throw unavailable("The recipients' balances are changing. Retry.", 1);
}

/** How a job stores its reversals. */
export interface ReverseGroupInput extends GroupInput {
  items: JobItems;
  waitSeconds: number;
  /** What the contract's rules ask for the sum of all, per point type (`startBulk`). */
  needs: Partial<Record<PointType, string>>;
}

/**
 * Stores a reversal of each batch for the transfers that nobody has taken back, in one statement. Their IDs
 * are made from the job's. @returns how many
 * @throws DomainError `recipients_short` if nobody has the points of a batch that is given alone
 */
export async function reverseGroup(ctx: ServiceContext, input: ReverseGroupInput): Promise<number> {
  const { items, needs, waitSeconds, contractAddress, reason } = input;
  const reversals = await prepareReversals(ctx, input);
  const [first] = reversals;
  if (!first) return 0;
  const { pointType } = first.original;
  const { sql } = ctx.db;
  const need = sql`coalesce(${needs[pointType] ?? null}::text, case when r.on_unusual then 'REVIEW' end)`;
  return await crossingShards(ctx.db, (on) =>
    insertReversals({ ...ctx, db: on }, reversals, {
      ...{ contractAddress, pointType, waitSeconds, reason, items },
      isKeyless: false,
      weigh: sql``,
      approval: sql`${need}, ${need} is not null, null::text`,
    }),
  );
}

interface Terms {
  contractAddress: string;
  pointType: PointType;
  waitSeconds: number;
  reason: string | undefined;
  isKeyless: boolean;
  items?: JobItems | undefined;
  /** CTEs for the columns of `approvalColumns`. */
  weigh: Fragment;
  approval: Fragment;
}

/**
 * Two reversals of the same transfers meet at the key of `reversed_transfers`, before either has locked an
 * account. So the accounts wait for all of its rows, and both are written in address order, as everywhere
 * else. `excluded.pending` carries the amount. A recipient's account always exists, so `earned` of the
 * proposed row is never stored, as in `settleStatement`.
 * @returns how many are new
 */
async function insertReversals(
  ctx: ServiceContext,
  reversals: readonly NewReversal[],
  { contractAddress, pointType, waitSeconds, reason, isKeyless, items, weigh, approval }: Terms,
): Promise<number> {
  const { sql } = ctx.db;
  const contract = addressToBytes(contractAddress);
  const packed = reversals.map(({ transfers }) => packTransfers(transfers));
  const each = <T>(read: (reversal: NewReversal) => T) => reversals.map(read);
  const detail = { pointType, reason: reason ?? null, ...auditedItems(items) };
  const more = sql`jsonb_build_object('reverses', reverses, 'points', total, 'transferCount', transfers)`;
  const change = { contractAddress, batchId: sql`id`, detail, more };
  const [space, key] = [SUBMIT_LOCK_SPACE, submitLockKey(contract)];
  const rows = await sql`
    with ${items ? sql`${openItems(ctx.db, items)},` : sql``} moment as materialized (
      select date_trunc('milliseconds', case
        when pg_advisory_xact_lock_shared(${space}::int, ${key}::int) is not null
        then clock_timestamp() end) as at
    ), created as materialized (
      select given.*, moment.at, nextval('batches_seq_seq') as seq
      from moment, unnest(
        ${each(({ batchId }) => batchId)}::text[],
        ${each(({ original }) => original.id)}::text[],
        ${each(({ original }) => original.seq.toString())}::text[],
        ${each(({ digest }) => digest.toString("hex"))}::text[],
        ${each(({ total }) => total)}::text[],
        ${each(({ transfers }) => String(transfers.length))}::text[],
        ${packed.map(({ addresses }) => addresses)}::text[],
        ${packed.map(({ points }) => points)}::text[],
        ${each(({ left }) => left ?? null)}::text[]
      ) as given (id, reverses, original, digest, total, transfers, addresses, amounts, why)
    ), ${weigh} batch as (
      insert into batches (contract_address, seq, id, point_type, points, transfer_count, wait_seconds,
        digest, submitted_by, submit_request_id, keyless, created_at, finalize_at, approval_need,
        awaits_approval, token_created_by, reverses_seq, reversal_reason)
      overriding system value
      select o.contract_address, c.seq, c.id, o.point_type, c.total::numeric, c.transfers::int,
        ${waitSeconds}::int, decode(c.digest, 'hex'), ${ctx.actor}, ${ctx.requestId}, ${isKeyless}::boolean,
        c.at, c.at + ${waitSeconds}::int * interval '1 second', ${approval}, o.seq, ${reason ?? null}::text
      from created c
        join batches o on o.contract_address = ${contract} and o.seq = c.original::bigint
        left join approval_rules r on r.contract_address = o.contract_address
          and r.contract_address = ${contract} and r.point_type = o.point_type
      where o.contract_address = ${contract} and o.status = 'FINALIZED' and o.reverses_seq is null
        ${items ? sql`and c.reverses in (select batch_id from open_items)` : sql``}
      order by c.seq
      on conflict (contract_address, id) do nothing
      returning seq, contract_address, point_type, reverses_seq, created_at as at
    ), packed as materialized (
      select b.*, c.id, c.reverses, c.total, c.transfers::int as transfers, c.why,
        c.addresses::bytea as addresses, c.amounts::numeric(38,12)[] as points
      from batch b
        join created c on c.seq = b.seq
    ), stored as (
      insert into batch_transfers as t (batch_seq, contract_address, addresses, points)
      select seq, contract_address, addresses, points from packed
      returning t.batch_seq
    ), marked as (
      insert into reversed_transfers (contract_address, batch_seq, to_address, reversal_seq, points)
      select contract_address, reverses_seq, to_address, seq, points
      from (${unpacked(sql, "packed", "p.contract_address, p.reverses_seq, p.seq")}) as transfers
      order by reverses_seq, to_address
      returning 1
    ), reserved as (
      insert into accounts as a (address, point_type, earned, pending)
      select to_address, point_type, sum(points), sum(points)
      from (${unpacked(sql, "packed", "p.point_type")}) as transfers
      where (select count(*) from marked) > 0 and (select count(*) from stored) > 0
      group by to_address, point_type
      order by to_address
      on conflict (address, point_type) do update set pending = a.pending + excluded.pending
      returning 1
    )
    ${announce(ctx.db, "batch.created", "batch", [contract])}
    ${auditPersonChange(ctx, { ...change, action: "batch.reverse", changed: "packed" })}
    ${items ? recordReversals(sql, items) : sql``}
    select b.seq from batch b where (select count(*) from reserved) > 0`;
  return rows.length;
}

/** As `recordItems`, with what is taken back of each batch. */
const recordReversals = (sql: Database["sql"], { jobId }: JobItems) => sql`, recorded as (
    update bulk_job_items i set result = 'DONE', result_at = now(), points = p.total::numeric,
      transfer_count = p.transfers, why = p.why
    from open_items o join packed p on p.reverses = o.batch_id
    where i.job_id = ${jobId} and i.position = o.position and i.result is null)`;
