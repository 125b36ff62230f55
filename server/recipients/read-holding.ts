import { addressToBytes } from "@/server/kernel/address-bytes";
import { toTimestamp } from "@/server/kernel/batch-rows";
import type { ServiceContext } from "@/server/kernel/context";
import { retryLater } from "@/server/kernel/retry-after";
import { invalid, invalidField } from "@/server/kernel/to-domain-error";
import { byPointType, type PointType } from "@/terms/batch-terms";
import { parseInstant } from "@/terms/fields";
import { formatCount } from "@/terms/output-text";
import { toHolding } from "./describe-recipient";
import { unindexedTransfers } from "./index-recipients";
import type { Holding, HoldingAt, HoldingInput } from "./schema";

/** About two seconds. */
const TRANSFERS_MAX = 1_000_000;

interface HoldingRow extends Omit<Holding, "balance"> {
  pointType: PointType;
  at: string;
  transfers: number;
  isAhead: boolean;
  isMissing: boolean;
  isMoving: boolean;
}

/**
 * What an address had at an instant, from its transfers: no balance is stored for the past.
 * @throws DomainError `validation_failed` for a time in the future, and for more transfers than it can add
 * up; `unavailable` while batches of that time are being indexed or finalized
 */
export async function readHolding(ctx: ServiceContext, input: HoldingInput): Promise<HoldingAt> {
  const rows = await readSums(ctx, addressToBytes(input.address), parseInstant(input.at)!);
  const { at, transfers, isAhead, isMissing, isMoving } = rows[0]!;
  if (isAhead) throw invalidField("/at must not be in the future.", "/at", "must not be in the future");
  if (transfers > TRANSFERS_MAX)
    throw invalid(
      `This address had more than ${formatCount(TRANSFERS_MAX)} transfers by then. ` +
        "A snapshot of all recipients has what it held.",
    );
  if (isMissing || isMoving) throw retryLater("Batches of that time are being processed. Retry in a minute.");
  return {
    at: toTimestamp(at),
    points: byPointType((type) => toHolding(rows.find(({ pointType }) => pointType === type)!)),
  };
}

/**
 * A batch is not older than its credit, so only transfers of batches created by then are read. A batch that
 * is being finalized may get an earlier time than the one at which it shows. `any` makes each lookup one by
 * key: with plain equality, the planner may read every batch.
 */
const readSums = ({ db: { sql } }: ServiceContext, address: Buffer, atMs: number) => sql<HoldingRow[]>`
  with ${unindexedTransfers(sql, address)},
  instant as materialized (select ${new Date(atMs).toISOString()}::timestamptz as at),
  transfers as (
    (
      select contract_address, batch_seq, points
      from recipient_transfers
      where to_address = ${address} and created_at <= (select at from instant)
      order by created_at desc, batch_seq desc
      limit ${TRANSFERS_MAX + 1}
    )
    union all
    select contract_address, batch_seq, points from unindexed where created_at <= (select at from instant)
  ),
  sums as materialized (
    select b.point_type,
      count(*) as transfers,
      sum(t.points) filter (where b.finalized_at <= i.at and b.reverses_seq is null) as received,
      sum(t.points) filter (where b.finalized_at <= i.at and b.reverses_seq is not null) as taken_back,
      coalesce(bool_or(b.status = 'FINALIZING' and b.claimed_at <= i.at), false) as is_moving
    from instant i cross join transfers t
      join batches b on b.contract_address = t.contract_address and b.seq = any(array[t.batch_seq])
    group by b.point_type
  )
  select kind.point_type as "pointType",
    i.at,
    i.at > clock_timestamp() as "isAhead",
    not r.is_whole and i.at > r.indexed_until as "isMissing",
    coalesce((select bool_or(is_moving) from sums), false) as "isMoving",
    coalesce((select sum(transfers) from sums), 0)::int as transfers,
    coalesce(s.received, 0) as received,
    coalesce(s.taken_back, 0) as "takenBack"
  from unnest(enum_range(null::point_type)) as kind (point_type)
    cross join instant i cross join reach r left join sums s on s.point_type = kind.point_type`;
