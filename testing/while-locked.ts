import type { Database } from "@/db/client";

/** Runs something while another transaction locks a table, and returns what it threw or returned. */
export async function whileLocked<T>(
  db: Database,
  table: string,
  run: () => Promise<T>,
): Promise<T | unknown> {
  let outcome: T | unknown;
  await db.sql.begin(async (tx) => {
    await tx`lock table ${tx(table)} in access exclusive mode`;
    outcome = await run().catch((thrown: unknown) => thrown);
  });
  return outcome;
}
