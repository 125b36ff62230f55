import { expect } from "vitest";
import type { Database } from "@/db/client";
import { postgresError } from "@/server/kernel/database-errors";
import { checkLedger } from "@/server/ledger/run-check";
import { DomainError } from "@/terms/problems";

/** Every ledger test ends with this: it recomputes all balances from the transfers, in one snapshot. */
export async function expectLedgerToBalance(db: Database): Promise<void> {
  const report = await checkLedger(db);
  expect(report.findings).toEqual([]);
  expect(report.ok).toBe(true);
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
