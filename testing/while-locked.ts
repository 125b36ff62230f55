import type { Database } from "@/db/client";

/** Runs something while another transaction locks a table. */
export async function whileLocked<T>(db: Database, table: string, run: () => Promise<T>): Promise<T> {
  let outcome: T;
  await db.sql.begin(async (tx) => {
    await tx`lock table ${tx(table)} in access exclusive mode`;
    outcome = await run();
  });
  return outcome!;
}
