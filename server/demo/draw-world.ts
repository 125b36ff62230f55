import type { TransactionSql } from "postgres";

export interface WorldSize {
  /** When the history ends, RFC 3339. Defaults to the database's `now()`. */
  at?: string | undefined;
  batches: number;
  /** The same seed, size and end time give the same rows. */
  seed: number;
}

/** A month, in hours. */
const HISTORY_HOURS = 720;
/** Beyond this the demo is for measuring lists, not for viewing batches, so batches become small. */
const LARGE_BATCHES = 50_000;

/**
 * Prepares the inputs of all later steps in temporary tables: the size, the share of batches per hour, the contracts and the
 * wallets. There are more batches by day, fewer at weekends, and more over time. Randomness is a hash of a number, so that
 * query plans do not change the result.
 */
export async function drawWorld(tx: TransactionSql, size: WorldSize): Promise<void> {
  const seed = Math.trunc(size.seed) % 1_000_000;
  await tx.unsafe(`
    create or replace function pg_temp.chance(n bigint, salt int) returns float8 immutable parallel safe language sql as
    $$ select (hashint8extended(n, salt + ${seed}::bigint * 1000) & 4503599627370495)::float8 / 4503599627370496 $$`);
  await tx.unsafe(`
    create or replace function pg_temp.made_uuid(n bigint, salt int) returns uuid immutable parallel safe language sql as
    $$ select md5(n || '/' || salt || '/${seed}')::uuid $$`);
  await tx`create temp table world (at timestamptz, batches int, candidates_mean float8) on commit drop`;
  await tx`
    insert into world select date_trunc('milliseconds', coalesce(${size.at ?? null}::timestamptz, now())),
      ${size.batches}::int, ${size.batches > LARGE_BATCHES ? 3 : 12}::float8`;
  await tx.unsafe(HOURS);
  await tx.unsafe(contracts(seed));
  await tx.unsafe(wallets(seed));
}

const HOURS = `
  create temp table hours on commit drop as
  select starts_at, share_before / total as share_before, share_after / total as share_after from (
    select starts_at, sum(weight) over by_time - weight as share_before, sum(weight) over by_time as share_after,
      sum(weight) over () as total
    from (
      select w.at - interval '1 minute' - (${HISTORY_HOURS} - i) * interval '1 hour' as starts_at, round((
        (0.7 + 0.6 * i / ${HISTORY_HOURS})
        * (0.2 + 0.8 * (1 + cos(2 * pi() * (extract(hour from (w.at + i * interval '1 hour') at time zone 'UTC') - 15) / 24)) / 2)
        * case when extract(isodow from w.at - (${HISTORY_HOURS} - i) * interval '1 hour') > 5 then 0.45 else 1 end
      )::numeric, 6) as weight
      from world w, generate_series(0, ${HISTORY_HOURS} - 1) as i
    ) as weighed
    window by_time as (order by starts_at)
  ) as shares`;

const contracts = (seed: number) => `
  create temp table demo_contracts on commit drop as
  select ordinal, substring(sha256(convert_to('demo contract ' || ordinal || '/${seed}', 'UTF8')) for 20) as address,
    substring(sha256(convert_to('demo operator ' || ordinal || '/${seed}', 'UTF8')) for 20) as operator_address,
    label || '${seed === 1 ? "" : ` ${seed}`}' as label, issuance::issuance, token, share_before, share_after,
    w.at - ${HISTORY_HOURS} * interval '1 hour' - (4 - ordinal) * interval '2 hours' as created_at
  from world w, (values
    (1, 'Rewards', 'ON_DEMAND', 'rewards-backend', 0.0, 0.55),
    (2, 'Season 2 payouts', 'ON_DEMAND', 'payout-job', 0.55, 0.85),
    (3, 'Partner grants', 'PREFUNDED', 'grants-desk', 0.85, 1.0)
  ) as c (ordinal, label, issuance, token, share_before, share_after)`;

const wallets = (seed: number) => `
  create temp table wallets on commit drop as
  select number, substring(sha256(convert_to('demo wallet ' || number || '/${seed}', 'UTF8')) for 20) as address
  from generate_series(0, (select greatest(200, batches / 2) from world) - 1) as number`;
