import type { Fragment } from "postgres";
import type { Database } from "@/db/client";
import { auditPersonChange } from "@/server/audit/audit-person-change";
import { findBatch, type StoredBatch } from "@/server/batches/list/get-batch";
import { addressToBytes } from "@/server/kernel/address-bytes";
import { announce } from "@/server/kernel/announce";
import { toTimestamp } from "@/server/kernel/batch-rows";
import type { ServiceContext } from "@/server/kernel/context";
import { crashPoint } from "@/server/kernel/process";
import { crossingShards } from "@/server/kernel/shards";
import { PACKED_COLUMNS, unpacked } from "@/server/ledger/packed-transfers";
import type { BatchKey } from "@/terms/batch-schema";
import { DomainError } from "@/terms/problems";
import { auditedItem, type JobItem, openItem, recordItem, whenOpen } from "./job-item";
import { lastDecision } from "./last-decision";

export interface CancelInput extends BatchKey {
  reason?: string;
  /** The item of a bulk job. The batch is changed only if the item is still to be done. */
  item?: JobItem;
}

/** Maximum attempts when the batch was still being stored at the first attempt. */
const TRIES_MAX = 5;

/**
 * Cancels a PENDING batch and returns its reserved points, in one statement.
 * @throws DomainError `batch_not_found`, `not_cancellable` (with the time of the last change), `unavailable`
 */
export async function cancelBatch(ctx: ServiceContext, input: CancelInput): Promise<{ batchId: string }> {
  for (let tries = 0; tries < TRIES_MAX; tries++) {
    const isCancelled = await tryCancel(ctx, input);
    crashPoint("after-cancel");
    if (isCancelled) return { batchId: input.batchId };
    const batch = await findBatch(ctx, input.contractAddress, input.batchId);
    // Still PENDING: its submit committed in between. A 409 would look as if the batch were done.
    if (batch.status !== "PENDING") throw notCancellable(batch, await lastDecision(ctx, input));
  }
  throw new DomainError("unavailable", "The batch is still being stored and was not cancelled. Retry.", {
    headers: { "Retry-After": "1" },
  });
}

/**
 * Cancels those of a contract's batches that are PENDING, in one statement. It changes no reversal. They are
 * locked in the order in which the release of a payout locks them.
 * @param batchIds of one point type, since a statement that writes several accounts must do so in their order
 * @returns how many were PENDING
 */
export async function cancelGroup(
  ctx: ServiceContext,
  contractAddress: string,
  batchIds: readonly string[],
): Promise<number> {
  const { sql } = ctx.db;
  // Also where it changes them, or Postgres may read all that the contract has pending.
  const isGiven = sql`id = any(${batchIds}::text[])`;
  const before = sql`locked as materialized (
      select seq from batches
      where contract_address = ${addressToBytes(contractAddress)} and ${isGiven} and status = 'PENDING'
      order by seq for update
    ),`;
  const chosen = { before, where: sql`${isGiven} and seq in (select seq from locked)` };
  const count = await cancelAs(
    ctx,
    { contractAddress },
    "batch.cancel",
    chosen,
    releaseAtContract(ctx.db, contractAddress),
  );
  crashPoint("after-cancel");
  return count;
}

/** @param action a rejection cancels only a batch that awaits approval, and not for its submitter */
export async function tryCancel(
  ctx: ServiceContext,
  input: CancelInput,
  action: CancelAction = "batch.cancel",
): Promise<boolean> {
  const { sql } = ctx.db;
  const chosen = { before: openItem(ctx.db, input.item), where: sql`id = ${input.batchId}` };
  const release = releaseAtContract(ctx.db, input.contractAddress);
  if ((await cancelAs(ctx, input, action, chosen, release)) === 1) return true;
  // Only a reversal releases accounts on other shards. Whether a batch is one never changes.
  const [reversal] = await sql`
    select 1 from batches
    where contract_address = ${addressToBytes(input.contractAddress)} and id = ${input.batchId}
      and reverses_seq is not null and status = 'PENDING'`;
  if (!reversal) return false;
  const count = await crossingShards(ctx.db, (on) =>
    cancelAs({ ...ctx, db: on }, input, action, chosen, releaseAtRecipients(on, input)),
  );
  return count === 1;
}

type CancelAction = "batch.cancel" | "batch.reject";

/** Which batches a statement cancels: a condition, and CTEs for it. */
interface Chosen {
  before: Fragment;
  where: Fragment;
}

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
  input: Omit<CancelInput, "batchId">,
  action: CancelAction,
  chosen: Chosen,
  release: Release,
): Promise<number> {
  const { sql } = ctx.db;
  const contract = addressToBytes(input.contractAddress);
  const detail = { reason: input.reason ?? null, ...auditedItem(input.item) };
  const [cancelled] = await sql<[{ count: number }]>`
    with ${chosen.before} cancelled as (
      update batches set status = 'CANCELLED', updated_at = greatest(created_at, now()),
        cancelled_at = greatest(created_at, now()), cancelled_by = ${ctx.actor},
        cancel_reason = ${input.reason ?? null}, cancel_request_id = ${ctx.requestId}
      ${whenOpen(ctx.db, input.item, "from")}
      where contract_address = ${contract} and ${chosen.where} and status = 'PENDING'
        and ${release.isReversal ? sql`reverses_seq is not null` : sql`reverses_seq is null`}
        ${
          action === "batch.reject"
            ? sql`and awaits_approval and submitted_by <> ${ctx.actor}
          and token_created_by is distinct from ${ctx.actor}`
            : sql``
        }
      returning contract_address, id, seq, point_type, points, reverses_seq, cancelled_at as at
    ), ${release.ctes}
    ${announce(ctx.db, "batch.cancelled", "cancelled", [contract])}
    ${auditPersonChange(ctx, { ...input, batchId: sql`id`, action, detail, changed: "cancelled" })}
    ${recordItem(ctx.db, input.item, "released")}
    select count(*)::int as count from cancelled where (select count(*) from released) > 0`;
  return cancelled.count;
}

function releaseAtContract({ sql }: Database, contractAddress: string): Release {
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
function releaseAtRecipients({ sql }: Database, input: CancelInput): Release {
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
      select to_address, point_type, points, points
      from (${unpacked(sql, "packed", "p.point_type")}) as transfers
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
