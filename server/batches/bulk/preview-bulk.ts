import type { Fragment, Sql, TransactionSql } from "postgres";
import { v7 as uuidv7 } from "uuid";
import { within } from "@/db/client";
import type { BatchFiltersInput } from "@/server/batches/list/console-schema";
import { databaseNow, wantedBatches } from "@/server/batches/list/list-console-batches";
import { matchingOf } from "@/server/batches/list/read-latest";
import { wouldAwaitSums } from "@/server/batches/submit/dry-run-submit";
import { addressToBytes } from "@/server/kernel/address-bytes";
import type { ServiceContext } from "@/server/kernel/context";
import { invalid } from "@/server/kernel/to-domain-error";
import { barredFor, isOfOthers } from "@/server/staff/second-person";
import { groupItems, obstaclesIn, shareOf } from "./jobs";
import { BULK_BATCHES_MAX, type BulkAction, type BulkPreviewInput } from "./schema";

const PREVIEWS_KEPT = 10;

/**
 * Freezes the chosen batches as a job that is not started yet, and counts what it would do. Batches created
 * from now on are never part of it. No batch is changed. A person's previews can be open in several tabs: the
 * newest ten that were not started are kept.
 * @throws DomainError `validation_failed` when no batch or too many match
 */
export async function previewBulk(ctx: ServiceContext, input: BulkPreviewInput, most = BULK_BATCHES_MAX) {
  const frozenAt = await databaseNow(ctx);
  const jobId = uuidv7();
  const { chosen, action } = input;
  const payout = action === "reverse" || action === "approve" ? payoutOf(chosen) : null;
  const batches = await ctx.db.sql.begin(async (tx) => {
    const on = { ...ctx, db: within(ctx.db, tx) };
    const { ctes } = await chosenBy(on, input, { frozenAt, payout, most });
    const count = await storeItems(tx, jobId, action, ctes);
    if (count === 0) throw invalid("No batch matches any more.");
    if (count > most)
      throw invalid(
        `More than ${most.toLocaleString("en")} batches match. ` +
          "Narrow the filters, for example to one status, contract or period.",
      );
    await tx`
      with replaced as (
        delete from bulk_jobs where id in (
          select id from bulk_jobs where created_by = ${ctx.actor} and started_at is null
          order by frozen_at desc, id desc offset ${PREVIEWS_KEPT - 1})
          and started_at is null
        returning id)
      delete from bulk_job_items where job_id in (select id from replaced)`;
    await tx`
      insert into bulk_jobs (id, action, frozen_at, created_by, item_count)
      values (${jobId}, ${action}, ${frozenAt}, ${ctx.actor}, ${count})`;
    return count;
  });
  const groups = await groupItems(ctx.db, jobId);
  const changeable = shareOf(groups.filter(({ result }) => result === null));
  return {
    jobId,
    action,
    /** Whether a rule stops all of it until another person approves. */
    awaitsApproval:
      action === "reverse" && (await wouldAwaitSums(ctx, payout!.contractAddress, changeable.amounts)),
    /** Batches created later are not part of it. */
    frozenAt,
    batches,
    changeable,
    due: shareOf(action === "release" ? await groupItems(ctx.db, jobId, DUE) : []),
    obstacles: obstaclesIn(groups),
  };
}

/** What a release pays within seconds. */
const DUE = `join batches b on b.contract_address = i.contract_address and b.id = i.batch_id
  and i.result is null and b.finalize_at <= now() and not b.awaits_approval`;

function payoutOf(chosen: BulkPreviewInput["chosen"]): Payout {
  const { contractAddress, payoutId, reversals } = "filters" in chosen ? chosen.filters : {};
  if (contractAddress && payoutId) return { contractAddress, payoutId, reversals };
  throw invalid("Choose these batches by their contract and payout.");
}

/** The payout of what is taken back or approved. */
type Payout = { contractAddress: string; payoutId: string; reversals?: boolean | undefined };

/** What an item is made of, and why its batch cannot be changed. */
const COLUMNS = `contract_address, seq, id, point_type, points, transfer_count, status, held_at,
  held_for_payout, held_apart, awaits_approval, updated_at`;

/** CTEs that end in `chosen`, one more than `most` at most. In an object: a promise would run a fragment. */
async function chosenBy(
  ctx: ServiceContext,
  { action, chosen }: BulkPreviewInput,
  { frozenAt, payout, most }: { frozenAt: string; payout: Payout | null; most: number },
): Promise<{ ctes: Fragment }> {
  const { sql } = ctx.db;
  if (action === "approve")
    return { ctes: awaitingOf(sql, payout!, isOfOthers(sql, await barredFor(sql, ctx.actor))) };
  if ("keys" in chosen)
    return {
      ctes: sql`${wantedBatches(sql, chosen.keys)}, chosen as materialized (
        select b.* from wanted w join batches b on b.contract_address = w.contract and b.id = w.id)`,
    };
  const { ctes } = await matchingOf(ctx.db, until(frozenAt, chosen.filters), most + 1, COLUMNS);
  return { ctes: payout ? lessTakenBack(sql, payout, ctes) : sql`${ctes}, chosen as (table matching)` };
}

/** The bound is exclusive and in milliseconds: a batch of this very one may already be on screen. */
function until(frozenAt: string, filters: BatchFiltersInput): BatchFiltersInput {
  const frozen = new Date(Date.parse(frozenAt) + 1).toISOString();
  const { createdBefore = frozen } = filters;
  return {
    ...filters,
    createdBefore: Date.parse(createdBefore) < Date.parse(frozen) ? createdBefore : frozen,
  };
}

const awaitingOf = (sql: Sql, payout: Payout, isDecidable: Fragment) => sql`chosen as materialized (
    select ${sql.unsafe(COLUMNS)}, not ${isDecidable} as is_own from ${awaiting(sql, payout)}
  )`;

/** What awaits approval of a payout, as what follows `from`: its batches, the reversals of these, or both. */
export function awaiting(sql: Sql, { contractAddress, payoutId, reversals }: Payout) {
  const contract = addressToBytes(contractAddress);
  const parts = sql`select batch_seq from payout_parts
    where contract_address = ${contract} and payout_id = ${payoutId}`;
  return sql`batches
    where contract_address = ${contract} and status = 'PENDING' and awaits_approval
      and (${reversals !== true}::boolean and seq in (${parts})
        or ${reversals !== false}::boolean and reverses_seq in (${parts}))`;
}

/** With what nobody has taken back of each batch, or is about to. */
function lessTakenBack(sql: Sql, { contractAddress, payoutId }: Payout, matching: Fragment) {
  const contract = addressToBytes(contractAddress);
  return sql`
    ${matching}, taken as materialized (
      select m.batch_seq, sum(m.points) as points, count(*)::int as count
      from payout_parts p
        join reversed_transfers m on m.contract_address = p.contract_address and m.batch_seq = p.batch_seq
      where p.contract_address = ${contract}
        and m.contract_address = ${contract}
        and p.payout_id = ${payoutId}
      group by 1
    ), chosen as (
      select b.contract_address, b.seq, b.id, b.point_type, b.status, b.held_at, b.updated_at,
        b.points - case when t.count < b.transfer_count then t.points else 0 end as points,
        b.transfer_count - case when t.count < b.transfer_count then t.count else 0 end as transfer_count,
        coalesce(t.count = b.transfer_count, false) as is_taken_back
      from matching b left join taken t on t.batch_seq = b.seq
    )`;
}

async function storeItems(tx: TransactionSql, jobId: string, action: BulkAction, chosen: Fragment) {
  const { count } = await tx`
    insert into bulk_job_items (job_id, position, contract_address, batch_id, point_type, points,
      transfer_count, result, why, why_at)
    with ${chosen}, judged as (select *, ${tx.unsafe(OBSTACLES[action])} as why from chosen)
    select ${jobId}::uuid, row_number() over (order by seq desc) - 1, contract_address, id, point_type,
      points, transfer_count, case when why is not null then 'EXCLUDED' end, why,
      case when why is not null then coalesce(case when status = 'PENDING' then held_at end, updated_at) end
    from judged`;
  return count;
}

/**
 * Why an action is impossible in a batch's state, a `BulkObstacle`; null if it is possible. By columns of
 * `batches` and, to take back or approve, `is_taken_back` or `is_own`.
 */
export const OBSTACLES: Record<BulkAction, string> = {
  hold: `case when status <> 'PENDING' then status::text
    when held_at is not null and (not held_for_payout or held_apart) then 'HELD' end`,
  release: `case when status <> 'PENDING' then status::text when held_for_payout then 'WAITS'
    when held_at is null then 'NOT_HELD' end`,
  cancel: "case when status <> 'PENDING' then status::text end",
  reverse: "case when status <> 'FINALIZED' then status::text when is_taken_back then 'REVERSED' end",
  approve: `case when status <> 'PENDING' then status::text when held_for_payout then 'WAITS'
    when not awaits_approval then 'DECIDED' when is_own then 'OWN' end`,
};

export type BulkPreview = Awaited<ReturnType<typeof previewBulk>>;
