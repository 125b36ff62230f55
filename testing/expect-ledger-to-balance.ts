import { expect } from "vitest";
import type { Database } from "@/db/client";
import { checkLedger } from "@/server/ledger/run-check";

/** Every ledger test ends with this: it recomputes all balances from the transfers, in one snapshot. */
export async function expectLedgerToBalance(db: Database): Promise<void> {
  const report = await checkLedger(db);
  expect(report.findings).toEqual([]);
  expect(report.ok).toBe(true);
}
