import { expect } from "vitest";
import type { Database } from "@/db/client";
import { postgresError } from "@/server/kernel/database-errors";
import { checkLedger } from "@/server/ledger/run-check";
import { CHECKS } from "@/server/operations/self-check";
import { DomainError } from "@/terms/problems";
import { TRANSFER_ROWS } from "./explain";

/** Every ledger test ends with this: it recomputes all balances from the transfers, in one snapshot. */
export async function expectLedgerToBalance(db: Database): Promise<void> {
  const report = await checkLedger(db, CHECKS);
  expect(report.findings).toEqual([]);
  expect(report.ok).toBe(true);
}

/**
 * Every snapshot adds up to what batches had paid by its instant: computed from single transfers, and not by the
 * service's SQL. Contracts hold what they were issued besides, so where they are left out nothing is said about them.
 */
export async function expectSnapshotsToReconcile({ sql }: Database): Promise<void> {
  // Most ledgers have none, and then their transfers need not be read.
  if ((await sql`select 1 from snapshots where status = 'TAKEN' limit 1`).length === 0) return;
  const wrong = await sql.unsafe(`
    with expected as (
      select s.id, t.to_address, 
        sum(case when b.reverses_seq is null then t.points else -t.points end) as points
      from snapshots s join batches b on b.status = 'FINALIZED' and b.finalized_at <= s.as_of
          and b.point_type = s.point_type
          and b.contract_address = coalesce(s.contract_address, b.contract_address)
        join ${TRANSFER_ROWS} as t on t.batch_seq = b.seq and t.contract_address = b.contract_address
      where s.status = 'TAKEN'
        and not exists (select 1 from contracts c where c.address = t.to_address and c.created_at <= s.as_of)
      group by 1, 2
    ), summed as (
      select id, count(*) filter (where points <> 0) as holders, sum(points) as points
      from expected group by id
    )
    select s.id, s.holders, e.holders as expected, s.points, e.points as expected_points
    from snapshots s left join summed e using (id)
    where s.status = 'TAKEN' and not s.includes_contracts
      and (s.holders, s.points) is distinct from (coalesce(e.holders, 0), coalesce(e.points, 0))`);
  expect([...wrong]).toEqual([]);
}

/**
 * Every allocation that was made gives each holder that it does not leave out what the rule says, but for less than
 * one base unit, and adds up: computed from single holders, and not by the service's SQL.
 */
export async function expectAllocationsToAddUp({ sql }: Database): Promise<void> {
  if ((await sql`select 1 from allocations where status = 'READY' limit 1`).length === 0) return;
  const wrong = await sql.begin(async (tx) => {
    // Postgres cannot know how many rows are packed.
    await tx`set local enable_nestloop = off`;
    return await tx`
    with holders as materialized (
      select h.snapshot_id, substring(h.addresses from at::int * 20 - 19 for 20) as address, u.points
      from snapshot_holders h, unnest(h.points) with ordinality as u (points, at)
    ), claims as materialized (
      select c.allocation_id, substring(c.addresses from at::int * 20 - 19 for 20) as address, u.amount,
        c.first_index + at - 1 as index, c.positions[at] as position
      from allocation_claims c, unnest(c.amounts) with ordinality as u (amount, at)
    ), joined as (
      select a.id, a.rule, a.total, a.rate * 10::numeric ^ a.decimals as units_per_point, a.minimum,
        c.address, c.amount, c.index, c.position, h.points,
        sum(h.points) over (partition by a.id) as points_sum,
        row_number() over (partition by a.id order by c.address) - 1 as place,
        exists (
          select 1 from generate_series(1, length(a.excluded), 20) as at
          where substring(a.excluded from at for 20) = c.address
        ) as is_excluded
      from allocations a join claims c on c.allocation_id = uuid_send(a.id)
        left join holders h on h.snapshot_id = uuid_send(a.snapshot_id) and h.address = c.address
      where a.status = 'READY'
    ), single as (
      select id, address from joined
      where points is null or is_excluded or amount < minimum or index <> place or position is null
        or abs(case rule when 'PRO_RATA' then points * total - amount * points_sum
          else (points * units_per_point - amount) * points_sum end) >= points_sum
    ), summed as (
      select a.id, count(j.id) as claims, sum(j.amount) as amount, count(distinct j.position) as positions
      from allocations a left join joined j on j.id = a.id where a.status = 'READY' group by a.id
    )
    select id, address::text as what from single
    union all
    select a.id, 'sums' from allocations a join summed s using (id)
    where (s.claims, s.amount, s.positions) is distinct from (a.claims::bigint, a.sum, a.claims::bigint)
      or a.sum <> coalesce(a.total, a.sum)`;
  });
  expect([...wrong]).toEqual([]);
}

/** Counts and sums of every table that a submit writes. They stay the same when nothing is stored. */
export async function storedSums(db: Database) {
  const [row] = await db.sql`select (select count(*)::int from batches) as batches,
    (select count(*)::int from batch_transfers) as transfers,
    (select count(*)::int from issuances) as issuances,
    (select sum(earned + pending)::text from accounts) as moved`;
  return row;
}

/** How many statements have stored several batches each. Rows of transfers keep their first transaction. */
export async function groupsStored({ sql }: Pick<Database, "sql">): Promise<number> {
  const groups = await sql`select 1 from batch_transfers group by xmin::text having count(*) > 1`;
  return groups.length;
}

/** The name of the constraint that refused a statement. */
export async function constraintOf(statement: PromiseLike<unknown>): Promise<string | undefined> {
  return await statement.then(
    () => undefined,
    (reason: unknown) => postgresError(reason)?.constraint,
  );
}

/** The DomainError that the call must throw. */
export async function refusalOf(run: Promise<unknown>): Promise<DomainError> {
  const error = await run.then(
    () => null,
    (reason: unknown) => reason,
  );
  expect(error).toBeInstanceOf(DomainError);
  return error as DomainError;
}
