import type { Fragment } from "postgres";
import type { Database } from "@/db/client";
import { auditPersonChange } from "@/server/audit/audit-person-change";
import { findBatch, type StoredBatch } from "@/server/batches/list/get-batch";
import { addressToBytes } from "@/server/kernel/address-bytes";
import { announce } from "@/server/kernel/announce";
import { toTimestamp } from "@/server/kernel/batch-rows";
import type { ServiceContext } from "@/server/kernel/context";
import { crashPoint } from "@/server/kernel/process";
import { unavailable } from "@/server/kernel/retry-after";
import { crossingShards } from "@/server/kernel/shards";
import { PACKED_COLUMNS, unpacked } from "@/server/ledger/packed-transfers";
import type { BatchKey } from "@/terms/batch-schema";
import { DomainError } from "@/terms/problems";
import { auditedItems, type GroupInput, isLocked, lockBatches, recordItems } from "./job-item";
import { lastDecision } from "./last-decision";

export interface CancelInput extends BatchKey {
  reason?: string | undefined;
}

/** Maximum attempts when the batch was still being stored at the first attempt. */
const TRIES_MAX = 5;

/**
 * Cancels a PENDING batch and returns its reserved points, in one statement.
 * @throws DomainError `batch_not_found`, `not_cancellable` (with the time of the last change), `unavailable`
 */
export async function cancelBatch(ctx: ServiceContext, input: CancelInput): Promise<{ batchId: string }> {
  for (let tries = 0; tries < TRIES_MAX; tries++) {
    const { batchId, ...group } = input;
    const cancelled = await cancelGroup(ctx, { ...group, batchIds: [batchId] });
    crashPoint("after-cancel");
    if (cancelled === 1) return { batchId: input.batchId };
    const batch = await findBatch(ctx, input.contractAddress, input.batchId);
    // Still PENDING: its submit committed in between. A 409 would look as if the batch were done.
    if (batch.status !== "PENDING") throw notCancellable(batch, await lastDecision(ctx, input));
  }
  throw unavailable("The batch is still being stored and was not cancelled. Retry.", 1);
}

/**
 * Cancels those of a contract's batches that are PENDING: one statement for payments, and one for reversals,
 * since only these release accounts on other shards.
 * @param action a rejection cancels only a batch that awaits approval, and not for its submitter
 * @returns how many were PENDING
 */
export async function cancelGroup(
  ctx: ServiceContext,
  input: GroupInput,
  action: CancelAction = "batch.cancel",
): Promise<number> {
  const count = await cancelAs(ctx, input, action, releaseAtContract(ctx.db, input));
  if (count === input.batchIds.length) return count;
  // Whether a batch is a reversal never changes.
  const [reversal] = await ctx.db.sql`
    select 1 from batches
    where contract_address = ${addressToBytes(input.contractAddress)} and id = any(${input.batchIds}::text[])
      and reverses_seq is not null and status = 'PENDING'
    limit 1`;
  if (!reversal) return count;
  return (
    count +
    (await crossingShards(ctx.db, (on) =>
      cancelAs({ ...ctx, db: on }, input, action, releaseAtRecipients(on, input)),
    ))
  );
}

type CancelAction = "batch.cancel" | "batch.reject";

/** Whether a statement cancels reversals or other batches, and the CTEs that return what these reserved. */
interface Release {
  isReversal: boolean;
  ctes: Fragment;
}

/**
 * `greatest`, since `now()` can be before the creation of a batch that was stored during this statement.
 * @returns how many it cancelled
 */
async function cancelAs(
  ctx: ServiceContext,
  input: GroupInput,
  action: CancelAction,
  release: Release,
): Promise<number> {
  const { sql } = ctx.db;
  const contract = addressToBytes(input.contractAddress);
  const { contractAddress, items } = input;
  const detail = { reason: input.reason ?? null, ...auditedItems(items) };
  const change = { contractAddress, batchId: sql`id`, action, detail };
  const isPending = sql`status = 'PENDING'
        and ${release.isReversal ? sql`reverses_seq is not null` : sql`reverses_seq is null`}
        ${
          action === "batch.reject"
            ? sql`and awaits_approval and submitted_by <> ${ctx.actor}
          and token_created_by is distinct from ${ctx.actor}`
            : sql``
        }`;
  const [cancelled] = await sql<[{ count: number }]>`
    with ${lockBatches(ctx.db, input, isPending)}, cancelled as (
      update batches set status = 'CANCELLED', updated_at = greatest(created_at, now()),
        cancelled_at = greatest(created_at, now()), cancelled_by = ${ctx.actor},
        cancel_reason = ${input.reason ?? null}, cancel_request_id = ${ctx.requestId}
      where contract_address = ${contract} and ${isLocked(ctx.db, input)} and ${isPending}
      returning contract_address, id, seq, point_type, points, reverses_seq, cancelled_at as at
    ), ${release.ctes}
    ${announce(ctx.db, "batch.cancelled", "cancelled", [contract])}
    ${auditPersonChange(ctx, { ...change, changed: "cancelled" })}
    ${recordItems(ctx.db, items, "cancelled")}
    select count(*)::int as count from cancelled where (select count(*) from released) > 0`;
  return cancelled.count;
}

function releaseAtContract({ sql }: Database, { contractAddress }: GroupInput): Release {
  const ctes = sql`released as (
      update accounts a set pending = a.pending - c.points
      from (
        select contract_address, point_type, sum(points) as points from cancelled group by 1, 2
      ) c
      where a.address = ${addressToBytes(contractAddress)} and a.address = c.contract_address
        and a.point_type = c.point_type
      returning 1
    )`;
  return { isReversal: false, ctes };
}

/** Writes the accounts in address order, as `settleStatement` does. The rows can be reversed again. */
function releaseAtRecipients({ sql }: Database, input: GroupInput): Release {
  const contract = addressToBytes(input.contractAddress);
  const ctes = sql`unmarked as (
      delete from reversed_transfers r using cancelled c
      where r.contract_address = ${contract} and r.contract_address = c.contract_address
        and r.batch_seq = c.reverses_seq and r.reversal_seq = c.seq
    ), packed as materialized (
      select c.point_type, ${sql.unsafe(PACKED_COLUMNS)}
      from cancelled c
        join batch_transfers t on t.batch_seq = c.seq and t.contract_address = c.contract_address
      where t.contract_address = ${contract}
    ), returned as (
      insert into accounts as a (address, point_type, earned, pending)
      select to_address, point_type, sum(points), sum(points)
      from (${unpacked(sql, "packed", "p.point_type")}) as transfers
      group by 1, 2
      order by to_address
      on conflict (address, point_type) do update set pending = a.pending - excluded.pending
      returning 1
    ), released as materialized (select 1 as one from cancelled where (select count(*) from returned) > 0)`;
  return { isReversal: true, ctes };
}

function notCancellable(batch: StoredBatch, decision: string): DomainError {
  const { finalizedAt, cancelledAt, claimedAt, createdAt } = batch;
  const since = toTimestamp(finalizedAt ?? cancelledAt ?? claimedAt ?? createdAt);
  return new DomainError("not_cancellable", `The batch has been ${batch.status} since ${since}.${decision}`, {
    extra: { batchStatus: batch.status, since },
  });
}
