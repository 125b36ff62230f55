import type { Sql, TransactionSql } from "postgres";
import { addressToBytes } from "@/server/kernel/address-bytes";
import { invalid } from "@/server/kernel/to-domain-error";
import { snapshotNotFound } from "@/server/snapshots/list-holders";
import { holdersOf } from "@/server/snapshots/snapshot-text";
import { checksumAddress, ZERO_ADDRESS } from "@/terms/address-text";
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
  ), entitled as not materialized (
    select u.to_address as address, u.points from ${holdersOf(sql, snapshotId)}
      and not exists (select 1 from excluded e where e.address = u.to_address)
  ), weight as materialized (
    select count(*) as holders, coalesce(sum(points), 0) as points from entitled
  )`;

/**
 * Holders whose exact share is below the minimum get nothing. The others share the total once more, so each
 * gets at least as much as before. Every share is rounded down, and the units that are left go one each to
 * the largest remainders. There are always fewer of them than remainders above 0. So a minimum of one unit
 * leaves out only those that no unit is left for. The last who gets one is `last`.
 * Without `offset 0`, Postgres would compute an amount again for each aggregate.
 */
const sharedProRata = (sql: Query, { total, minimum }: AllocationTerms) => {
  const isAll = minimum === "1";
  const isKept = isAll
    ? sql`true`
    : sql`e.points * ${total}::text::numeric >= ${minimum}::text::numeric * w.points`;
  const sum = sql`select sum(e.points) as points from entitled e, weight w where ${isKept}`;
  return sql`
    kept as materialized (${isAll ? sql`table weight` : sum}),
    shares as materialized (
      select e.address, div(e.points * ${total}::text::numeric, k.points) as units,
        mod(e.points * ${total}::text::numeric, k.points) as remainder
      from entitled e, weight w, kept k where ${isKept}
    ), dust as materialized (
      select ${total}::text::numeric - sum(units) as units from shares
    ), least as materialized (
      select remainder, place - first as before from (
        select remainder, row_number() over w as place, rank() over w as first
        from shares window w as (order by remainder desc)
      ) as ranked where place = (select units::bigint from dust)
    ), last as materialized (
      select remainder, address from shares where remainder = (select remainder from least)
      order by address offset (select before from least) limit 1
    ), rounded as (
      select address, case
          when remainder > (select remainder from last)
            or remainder = (select remainder from last) and address <= (select address from last)
          then units + 1 else units end as amount
      from shares offset 0
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
  /** Addresses that were left out and hold nothing, in hex. */
  unknown: string[];
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
    with ${claimsOf(sql, terms)}, unknown as (
      select address from excluded
      except select u.to_address from ${holdersOf(sql, terms.snapshotId)} and u.to_address in (table excluded)
      order by address limit ${UNKNOWN_MAX}
    )
    select (select holders from weight)::float8 as entitled,
      (select ${snapshot.points}::text::numeric - points from weight)::text as "leftOutPoints",
      array(select encode(address, 'hex') from unknown order by 1) as unknown,
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
      unknown: unknown.map(checksumAddress),
      hasZero: terms.excluded.subarray(0, ADDRESS_BYTES).equals(ZERO_BYTES),
    },
  };
}

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
