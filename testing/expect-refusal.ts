import { expect } from "vitest";
import type { Database } from "@/db/client";
import { sqlFault } from "@/server/kernel/database-faults";
import { DomainError } from "@/server/kernel/values/problems";

/** The rows and sums of every table a submit writes: equal before and after what stores nothing. */
export async function storedSums(db: Database) {
  const [row] = await db.sql`select (select count(*)::int from batches) as batches,
    (select count(*)::int from batch_transfers) as transfers, (select count(*)::int from issuances) as issuances,
    (select sum(earned + pending)::text from accounts) as moved`;
  return row;
}

/** The name of the constraint that refused a statement. */
export async function constraintOf(statement: PromiseLike<unknown>): Promise<string | undefined> {
  return await statement.then(
    () => undefined,
    (reason: unknown) => sqlFault(reason)?.constraint,
  );
}

/** The error of something that must be refused. */
export async function refusalOf(run: Promise<unknown>): Promise<DomainError> {
  const error = await run.then(
    () => null,
    (reason: unknown) => reason,
  );
  expect(error).toBeInstanceOf(DomainError);
  return error as DomainError;
}
