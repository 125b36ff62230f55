import { payoutTarget } from "@/server/audit/audit-person-change";
import { audited } from "@/server/audit/audited";
import { addressToBytes } from "@/server/kernel/address-bytes";
import { announce } from "@/server/kernel/announce";
import type { ServiceContext } from "@/server/kernel/context";
import { invalid } from "@/server/kernel/to-domain-error";
import { payoutNotFound } from "./read-payout";
import type { PayoutKey } from "./schema";

interface Found {
  stored: number;
  parts: number;
  twice: number;
  partCount: number | null;
  cancelled: number;
  waiting: number;
  released: number;
}

/**
 * Releases all batches of a file that wait since they were stored, in one statement, if the whole file is
 * stored and no batch of it is cancelled. The batches that may be cancelled are locked before they are looked
 * at, so that none is cancelled in between. What people put on hold stays on hold, and batches of `/v1` with
 * the same payout ID are no part of the file. Safe to repeat.
 * @returns how many batches were released
 * @throws DomainError `payout_not_found`; `validation_failed` when a part is missing, stored twice or
 * cancelled
 */
export async function releasePayout(ctx: ServiceContext, input: PayoutKey): Promise<{ released: number }> {
  const { sql } = ctx.db;
  const { payoutId } = input;
  const contract = addressToBytes(input.contractAddress);
  const [found] = await sql<[Found]>`
    with stored as materialized (
      select count(*)::int as stored, count(distinct part)::int as parts,
        (count(part) - count(distinct part))::int as twice, max(part_count) as part_count
      from payout_parts
      where contract_address = ${contract} and payout_id = ${payoutId}
    ), locked as materialized (
      select b.seq, b.status, b.status = 'PENDING' and b.held_for_payout as is_waiting
      from payout_parts p
        join batches b on b.contract_address = p.contract_address and b.seq = p.batch_seq
      where p.contract_address = ${contract}
        and b.contract_address = ${contract}
        and p.payout_id = ${payoutId}
        and p.part is not null
        and b.status in ('PENDING', 'CANCELLED')
      order by b.seq
      for update of b
    ), moment as materialized (
      select clock_timestamp() as at
      from stored
      where parts = part_count and twice = 0
        and not exists (select 1 from locked where status = 'CANCELLED')
    ), released as (
      update batches b set held_at = null, held_by = null, hold_reason = null, held_for_payout = false
      from moment, locked
      where b.contract_address = ${contract} and b.seq = locked.seq and locked.is_waiting
      returning b.contract_address, b.seq, moment.at
    ), done as materialized (
      select count(*)::int as batches from released having count(*) > 0
    )
    ${announce(ctx.db, "batch.released", "released", [contract])},
    ${audited(ctx, {
      action: "payout.release",
      target: payoutTarget(input),
      detail: sql`jsonb_build_object('batches', batches)`,
      of: "done",
    })}
    select stored, parts, twice, part_count as "partCount",
      (select count(*)::int from locked where status = 'CANCELLED') as cancelled,
      (select count(*)::int from locked where is_waiting) as waiting,
      coalesce((select batches from done), 0) as released
    from stored`;
  if (found.stored === 0) throw payoutNotFound(payoutId);
  if (found.waiting > found.released) throw notWhole(found);
  return { released: found.released };
}

function notWhole({ parts, twice, partCount, cancelled }: Found) {
  if (twice > 0)
    return invalid(
      `${twice} of ${partCount} parts of this file ${twice === 1 ? "is" : "are"} stored twice, under other ` +
        "batch IDs. All stay on hold. Cancel the batches that are too many, and release the others.",
    );
  const missing = (partCount ?? 0) - parts;
  const [count, what] =
    missing > 0
      ? [missing, missing === 1 ? "is not stored" : "are not stored"]
      : [cancelled, cancelled === 1 ? "was cancelled" : "were cancelled"];
  return invalid(`${count} of ${partCount} batches of this file ${what}. The others stay on hold.`);
}
