import type { TransactionSql } from "postgres";
import type { Database } from "@/db/client";
import { isStatementTimeout } from "../kernel/database-errors";

const SECONDS_MAX = 4;

/** Reads with a time limit of 4 s per statement. @returns null when there is so much data that it takes longer */
export async function readBriefly<T>(
  db: Database,
  read: (tx: TransactionSql) => Promise<T>,
): Promise<T | null> {
  try {
    const result = await db.sql.begin("read only", async (tx) => {
      await tx`select set_config('statement_timeout', ${String(SECONDS_MAX * 1000)}, true)`;
      return { value: await read(tx) };
    });
    return result.value;
  } catch (error) {
    if (isStatementTimeout(error)) return null;
    throw error;
  }
}
