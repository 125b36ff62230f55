import { expect } from "vitest";
import type { Database } from "@/db/client";
import { postgresError } from "@/server/kernel/database-errors";
import { checkLedger } from "@/server/ledger/run-check";
import { DomainError } from "@/terms/problems";
import { TRANSFER_ROWS } from "./explain";

/** Every ledger test ends with this: it recomputes all balances from the transfers, in one snapshot. */
export async function expectLedgerToBalance(db: Database): Promise<void> {
  const report = await checkLedger(db);
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
