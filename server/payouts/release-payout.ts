import { payoutTarget } from "@/server/audit/audit-person-change";
import { audited } from "@/server/audit/audited";
import { batchesOf } from "@/server/batches/list/not-paid";
import { needsOfSums } from "@/server/batches/submit/submit-batch";
import { addressToBytes } from "@/server/kernel/address-bytes";
import { announce } from "@/server/kernel/announce";
import type { ServiceContext } from "@/server/kernel/context";
import { invalid } from "@/server/kernel/to-domain-error";
import { counted } from "@/terms/output-text";
import { payoutNotFound } from "./read-payout";
import type { ReleasePayoutInput, WaitingParts } from "./schema";

interface Found extends WaitingParts {
  heldApart: number;
  isReleased: boolean;
  types: number;
  stored: number;
  parts: number;
  totals: number;
  twice: number;
  /** Parts that are not cancelled. */
  standing: number;
  partCount: number | null;
}

/**
 * Releases all batches of a file that wait since they were stored, in one statement, if the whole file is
 * stored and they are what its person saw. The batches that may be cancelled are locked before they are read,
 * so that none is cancelled in between. What people put on hold stays on hold, and batches of `/v1` with
 * the same payout ID are no part of the file. A rule weighs the sum of the whole payout, also of what was
 * released before or sent again, and then all that wait await approval, or none for its amount. Safe to
 * repeat.
 * @returns how many batches were released
 * @throws DomainError `payout_not_found`; `validation_failed` when a part is missing or stored twice, parts
 * are of several point types, all are cancelled, or others wait than were seen
 */
export async function releasePayout(
  ctx: ServiceContext,
  input: ReleasePayoutInput,
): Promise<{ released: number }> {
  const { sql } = ctx.db;
  const { payoutId, seen } = input;
  const contract = addressToBytes(input.contractAddress);
  const [found] = await sql<[Found]>`
    with locked as materialized (
      select b.seq, b.status, b.point_type, b.points, b.status = 'PENDING' and b.held_for_payout as waits,
        b.held_apart
      from ${batchesOf(ctx.db, input)} and p.part is not null and b.status in ('PENDING', 'CANCELLED')
      order by b.seq
      for update of b
    ), waiting as materialized (
      select count(*) filter (where not held_apart)::int as batches,
        trim_scale(coalesce(sum(points) filter (where not held_apart), 0))::text as points,
        count(*) filter (where held_apart)::int as held_apart, count(distinct point_type)::int as types
      from locked
      where waits
    ), stored as materialized (
      select count(*)::int as stored, count(distinct part)::int as parts, max(part_count) as part_count,
        count(distinct part_count)::int as totals,
        count(part) filter (where not is_cancelled)::int as standing,
        (count(part) filter (where not is_cancelled)
          - count(distinct part) filter (where not is_cancelled))::int as twice
      from (
        select part, part_count,
          batch_seq in (select seq from locked where status = 'CANCELLED') as is_cancelled
        from payout_parts
        where contract_address = ${contract} and payout_id = ${payoutId}
      ) p
    ), moment as materialized (
      select clock_timestamp() as at
      from stored, waiting
      where parts = part_count and totals = 1 and twice = 0 and types = 1
        and batches = ${seen.batches}::int and points = ${seen.points}
    ), weighed as materialized (
      select point_type, sum(points) filter (where waits) as points, sum(points) as weight
      from (
        select b.point_type, b.points, b.seq in (select seq from locked where locked.waits) as waits
        from ${batchesOf(ctx.db, input)} and b.status <> 'CANCELLED'
          and b.seq not in (select seq from locked where locked.status = 'CANCELLED')
      ) standing
      group by point_type
    ), ${needsOfSums(sql, contract)}, changed as (
      update batches b set held_for_payout = false, held_apart = false,
        held_at = case when locked.held_apart then b.held_at end,
        held_by = case when locked.held_apart then b.held_by end,
        hold_reason = case when locked.held_apart then b.hold_reason end,
        approval_need = case when b.approved_at is null
          then coalesce(nullif(b.approval_need, 'REVIEW'), needs.need, b.approval_need)
          else b.approval_need end,
        awaits_approval = b.approved_at is null and coalesce(b.approval_need, needs.need) is not null
      from moment, locked
        join needs on needs.point_type = locked.point_type
      where b.contract_address = ${contract} and b.seq = locked.seq and locked.waits
      returning b.contract_address, b.seq, b.held_at, moment.at
    ), released as (
      select contract_address, seq, at from changed where held_at is null
    ), done as materialized (
      select batches, held_apart
      from waiting, moment
      where batches + held_apart > 0
    )
    ${announce(ctx.db, "batch.released", "released", [contract])},
    ${audited(ctx, {
      action: "payout.release",
      target: payoutTarget(input),
      detail: sql`jsonb_build_object('batches', batches, 'heldApart', held_apart)`,
      of: "done",
    })}
    select stored, parts, totals, twice, types, standing, part_count as "partCount", batches, points,
      held_apart as "heldApart", exists (select 1 from moment) as "isReleased"
    from stored, waiting`;
  if (found.stored === 0) throw payoutNotFound(payoutId);
  if (found.parts > 0 && found.standing === 0)
    throw invalid(
      "Every batch of this payout was cancelled, so nothing can be released. Correct and resend them.",
    );
  if (!found.isReleased && found.batches + found.heldApart > 0) throw invalid(whyNot(found, seen));
  return { released: found.batches };
}

function whyNot(
  { parts, totals, twice, types, partCount, batches, points }: Found,
  seen: WaitingParts,
): string {
  if (totals > 1)
    return "The batches of this payout are numbered by different totals. Cancel them and submit it again.";
  if (twice > 0)
    return (
      `${twice} of ${partCount} batches of this payout ${twice === 1 ? "is" : "are"} stored twice, under ` +
      "other IDs. All stay on hold. Cancel those that are too many."
    );
  if (types > 1)
    return "The batches of this payout are of several point types. All stay on hold. Cancel the wrong ones.";
  const missing = partCount! - parts;
  if (missing > 0)
    return (
      `${missing} of ${partCount} batches of this payout ${missing === 1 ? "is" : "are"} not stored. ` +
      "The others stay on hold."
    );
  return (
    `${counted(batches, "batch", "batches")} with ${points} points of this payout ` +
    `${batches === 1 ? "waits for its" : "wait for their"} release now. ` +
    `You saw ${counted(seen.batches, "batch", "batches")} with ${seen.points}. Nothing was released.`
  );
}
