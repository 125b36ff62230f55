import type { Fragment, Sql } from "postgres";
import { addressToBytes } from "@/server/kernel/address-bytes";
import { toTimestamp } from "@/server/kernel/batch-rows";
import type { ServiceContext } from "@/server/kernel/context";
import { retryLater } from "@/server/kernel/retry-after";
import { invalid, invalidField } from "@/server/kernel/to-domain-error";
import { unindexedTransfers } from "@/server/ledger/index-recipients";
import { byPointType, type PointType } from "@/terms/batch-terms";
import { parseInstant } from "@/terms/fields";
import { formatCount } from "@/terms/output-text";
import { toHolding } from "./describe-recipient";
import type { HoldingInput } from "./schema";

/** About three seconds. */
const TRANSFERS_MAX = 1_000_000;

type SumsRow = { at: string; transfers: number; isAhead: boolean; isMissing: boolean; isMoving: boolean } & {
  [Sum in `${PointType}_${"received" | "takenBack"}`]: string;
};

export type HoldingAt = Awaited<ReturnType<typeof readHolding>>;

/**
 * What an address had at an instant, from its transfers: no balance is stored for the past.
 * @throws DomainError `validation_failed` for a time in the future, and for more transfers than it can add
 * up; `unavailable` while batches of that time are being indexed or finalized
 */
export async function readHolding(ctx: ServiceContext, input: HoldingInput) {
  const [row] = await readSums(ctx, addressToBytes(input.address), parseInstant(input.at)!);
  const { at, transfers, isAhead, isMissing, isMoving, ...sums } = row!;
  if (isAhead) throw invalidField("/at must not be in the future.", "/at", "must not be in the future");
  if (transfers > TRANSFERS_MAX)
    throw invalid(
      `This address had more than ${formatCount(TRANSFERS_MAX)} transfers by then. ` +
        "A snapshot of all recipients has what it held.",
    );
  if (isMissing || isMoving) throw retryLater("Batches of that time are being processed. Retry in a minute.");
  return {
    at: toTimestamp(at),
    points: byPointType((type) =>
      toHolding({ received: sums[`${type}_received`], takenBack: sums[`${type}_takenBack`] }),
    ),
  };
}

/** What the batches `b` of one type moved by the instant. One row of sums needs no sort, as groups would. */
const sumsOf = (sql: Sql, type: PointType, at: Fragment) => {
  const sumWhere = (isReversal: Fragment) => sql`
    coalesce(sum(t.points) filter (
      where b.finalized_at <= ${at} and b.point_type = ${type}::point_type and b.reverses_seq is ${isReversal}
    ), 0)`;
  return sql`${sumWhere(sql`null`)} as ${sql(`${type}_received`)},
    ${sumWhere(sql`not null`)} as ${sql(`${type}_takenBack`)}`;
};

/**
 * A batch is not older than its credit, so only transfers of batches created by then are read. A batch that
 * is being finalized may get an earlier time than the one at which it shows. `any` makes each lookup one by
 * key: with plain equality, or with all keys of a contract in one array, the planner may read every batch.
 */
function readSums({ db: { sql } }: ServiceContext, address: Buffer, atMs: number) {
  const at = sql`${new Date(atMs).toISOString()}::timestamptz`;
  return sql<SumsRow[]>`
    with ${unindexedTransfers(sql, address)},
    transfers as (
      (
        select contract_address, batch_seq, points
        from recipient_transfers
        where to_address = ${address} and created_at <= ${at}
        order by created_at desc, batch_seq desc
        limit ${TRANSFERS_MAX + 1}
      )
      union all
      select contract_address, batch_seq, points from unindexed where created_at <= ${at}
    ),
    sums as materialized (
      select count(*)::int as transfers,
        coalesce(bool_or(b.status = 'FINALIZING' and b.claimed_at <= ${at}), false) as "isMoving",
        ${sumsOf(sql, "PHASE2_POINTS", at)},
        ${sumsOf(sql, "PHASE2_GOLD", at)}
      from transfers t
        join batches b on b.contract_address = t.contract_address and b.seq = any(array[t.batch_seq])
    )
    select ${at} as at,
      ${at} > clock_timestamp() as "isAhead",
      not r.is_whole and ${at} > r.indexed_until as "isMissing",
      s.*
    from reach r cross join sums s`;
}
