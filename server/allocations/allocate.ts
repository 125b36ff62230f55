import type { Sql, TransactionSql } from "postgres";
import { addressFromBytes, addressToBytes } from "@/server/kernel/address-bytes";
import { invalid } from "@/server/kernel/to-domain-error";
import { snapshotNotFound } from "@/server/snapshots/list-holders";
import { holdersOf } from "@/server/snapshots/snapshot-text";
import { ZERO_ADDRESS } from "@/terms/address-text";
import { shortestPoints } from "@/terms/points";
import { UNITS_END } from "@/terms/token-amounts";
import type { AllocationFigures, AllocationOut, AllocationPreview } from "./schema";

type Query = Sql | TransactionSql;

export interface AllocationTerms
  extends Pick<AllocationOut, "snapshotId" | "rule" | "total" | "rate" | "decimals" | "minimum"> {
  /** 20 bytes per address. The zero address is the first. */
  excluded: Buffer;
}

const ADDRESS_BYTES = 20;
export const ZERO_BYTES = addressToBytes(ZERO_ADDRESS);

/** `entitled`: the snapshot's holders that are not left out. `weight`: how many, and what they hold. */
const entitled = (sql: Query, { snapshotId, excluded }: AllocationTerms) => sql`
  excluded as materialized (
    select substring(e.addresses from byte for 20) as address
    from (values (${excluded}::bytea)) as e (addresses),
      generate_series(1, length(e.addresses), 20) as byte
  ), entitled as materialized (
    select u.to_address as address, u.points
    from ${holdersOf(sql, snapshotId)}
      and not exists (select 1 from excluded e where e.address = u.to_address)
  ), weight as materialized (
    select count(*) as holders, coalesce(sum(points), 0) as points from entitled
  )`;

/**
 * Holders whose exact share is below the minimum get nothing. The others share the total once more, so each
 * gets at least as much as before. Every share is rounded down, and the units that are left go one each to
 * the largest remainders. There are always fewer of them than remainders above 0. So a minimum of one unit
 * leaves out only those that no unit is left for.
 */
const sharedProRata = (sql: Query, { total, minimum }: AllocationTerms) => {
  const isKept =
    minimum === "1"
      ? sql`true`
      : sql`e.points * ${total}::text::numeric >= ${minimum}::text::numeric * w.points`;
  return sql`
    kept as materialized (select sum(e.points) as points from entitled e, weight w where ${isKept}),
    shares as materialized (
      select e.address, div(e.points * ${total}::text::numeric, k.points) as units,
        mod(e.points * ${total}::text::numeric, k.points) as remainder
      from entitled e, weight w, kept k where ${isKept}
    ), dust as materialized (
      select ${total}::text::numeric - sum(units) as units from shares
    ), rounded as (
      select s.address,
        s.units + (row_number() over (order by s.remainder desc, s.address) <= d.units)::int as amount
      from shares s, dust d
    ), claims as (
      select address, amount from rounded where amount > 0
    )`;
};

/** Every amount is rounded down. What that leaves is nobody's. */
const atFixedRate = (sql: Query, { rate, decimals, minimum }: AllocationTerms) => sql`
  shares as materialized (
    select e.address, e.points * ${rate}::text::numeric * ${`1e${decimals}`}::text::numeric as units
    from entitled e
  ), dust as (
    select trunc(sum(units - trunc(units))) as units from shares where units >= ${minimum}::text::numeric
  ), claims as (
    select address, trunc(units) as amount from shares where units >= ${minimum}::text::numeric
  )`;

/** CTEs that end in `claims`, one row per claim with its `address` and `amount`. */
const claimsOf = (sql: Query, terms: AllocationTerms) => sql`
  ${entitled(sql, terms)},
  ${terms.rule === "PRO_RATA" ? sharedProRata(sql, terms) : atFixedRate(sql, terms)}`;

interface Computed extends Omit<AllocationFigures, "withoutClaim"> {
  /** Holders that are not left out. */
  entitled: number;
  /** What the others hold. */
  leftOutPoints: string;
  /** Packed addresses that were left out and hold nothing. */
  unknown: Buffer;
}

/** Named at most. */
const UNKNOWN_MAX = 20;

/**
 * Computes what the rule makes of the snapshot, and stores nothing.
 * @throws DomainError `snapshot_not_found` unless it is TAKEN; `validation_failed` when nobody would get
 * anything, and when the sum is too large for any token
 */
export async function computeFigures(sql: Query, terms: AllocationTerms): Promise<AllocationPreview> {
  const [snapshot] = await sql<{ holders: number; points: string }[]>`
    select holders::float8 as holders, points from snapshots
    where id = ${terms.snapshotId}::uuid and status = 'TAKEN'`;
  if (!snapshot) throw notTaken(terms);
  const [row] = await sql<Computed[]>`
    with ${claimsOf(sql, terms)}, left_out as materialized (
      select u.to_address as address
      from ${holdersOf(sql, terms.snapshotId)} and u.to_address in (select address from excluded)
    ), unknown as (
      select e.address from excluded e
      where not exists (select 1 from left_out l where l.address = e.address)
      order by e.address limit ${UNKNOWN_MAX}
    )
    select (select holders from weight)::float8 as entitled,
      (select ${snapshot.points}::text::numeric - points from weight)::text as "leftOutPoints",
      (select coalesce(string_agg(address, ''::bytea order by address), '') from unknown) as unknown,
      count(*)::int as claims,
      coalesce(sum(amount), 0)::text as sum, coalesce((select units from dust), 0)::text as dust,
      min(amount)::text as smallest, max(amount)::text as largest,
      percentile_disc(0.5) within group (order by amount)::text as median
    from claims`;
  const { entitled: holders, leftOutPoints, unknown, ...figures } = row!;
  if (holders === 0) throw nobody("Every holder of the snapshot is left out, or it has none.");
  if (figures.claims === 0) throw nobody("Everybody's share is below the minimum.");
  if (BigInt(figures.sum) >= UNITS_END)
    throw invalid(`The sum of ${figures.sum} base units is too large: a token has less than 2^256.`);
  return {
    ...figures,
    withoutClaim: snapshot.holders - figures.claims,
    leftOut: {
      addresses: terms.excluded.length / ADDRESS_BYTES,
      holders: snapshot.holders - holders,
      points: shortestPoints(leftOutPoints),
      unknown: addressesIn(unknown),
      hasZero: terms.excluded.subarray(0, ADDRESS_BYTES).equals(ZERO_BYTES),
    },
  };
}

const addressesIn = (packed: Buffer): string[] =>
  Array.from({ length: packed.length / ADDRESS_BYTES }, (_, at) =>
    addressFromBytes(packed.subarray(at * ADDRESS_BYTES, (at + 1) * ADDRESS_BYTES)),
  );

export const notTaken = ({ snapshotId }: Pick<AllocationTerms, "snapshotId">) =>
  snapshotNotFound(`There is no snapshot ${snapshotId} that is TAKEN.`);

const nobody = (why: string) => invalid(`Nobody would get anything. ${why}`);

/** The bound of a row of `allocation_claims`. */
export const CLAIMS_PER_ROW = 1000;

/**
 * Stores the claims by address. The places of their leaves come later, with the tree. With RETURNING, Citus
 * commits it in two phases.
 */
export const storeClaims = (tx: TransactionSql, id: Buffer, terms: AllocationTerms) => tx`
  insert into allocation_claims (allocation_id, first_index, first_address, addresses, amounts)
  with ${claimsOf(tx, terms)}, numbered as (
    select address, amount, (row_number() over (order by address))::int - 1 as index from claims
  ), packed as (
    select min(index) as first_index, string_agg(address, ''::bytea order by index) as addresses,
      array_agg(amount order by index)::numeric(78,0)[] as amounts
    from numbered group by index / ${CLAIMS_PER_ROW}::int
  )
  select ${id}::bytea, first_index, substring(addresses for 20), addresses, amounts from packed
  returning 1`;
