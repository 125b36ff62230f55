import { afterAll, afterEach, beforeAll } from "vitest";
import type { SubmitBatchInput } from "@/server/batches/submit/submit-schema";
import { addressToBytes } from "@/server/kernel/address-bytes";
import { readAccount } from "@/server/ledger/accounts";
import type { PointType } from "@/terms/batch-terms";
import { expectAllocationsToAddUp, expectLedgerToBalance, expectSnapshotsToReconcile } from "./expectations";
import {
  batchOf,
  finalize,
  type NewContract,
  newContract,
  nextAddress,
  submit,
  testContext,
} from "./factories";
import { serveFrom } from "./rest-request";
import { useDatabase } from "./test-database";

interface LedgerOptions {
  poolMax?: number;
  /**
   * Whether the ledger, its snapshots and allocations must add up after each test; true when absent. False
   * where tests break it, or store more than one check can read.
   */
  balances?: boolean;
  /** Whether this process's settings point at the database. */
  serves?: boolean;
}

/** As `useDatabase`, with what tests of the ledger do in it. After each test the ledger must balance. */
export function useLedger({ poolMax, balances = true, serves = false }: LedgerOptions = {}) {
  const db = useDatabase({ poolMax });
  if (serves) {
    beforeAll(() => serveFrom(db));
    afterAll(async () => {
      // Imported late, because some files set more settings before anything reads them.
      const { database } = await import("@/server/kernel/database");
      const { requestsKept } = await import("@/server/requests/keep-requests");
      // Later, it would read the settings before the next file has made its own.
      await requestsKept();
      await database().close();
    });
  }
  if (balances)
    afterEach(async () => {
      await expectLedgerToBalance(db);
      await expectSnapshotsToReconcile(db);
      await expectAllocationsToAddUp(db);
    });
  return {
    db,
    context: (actor?: string) => testContext(db, actor),
    newContract: (options?: NewContract) => newContract(db, options),
    /** A contract for all tests of the file. @returns its address, which hooks and tests may use */
    useContract(options: NewContract = {}): string {
      const address = nextAddress();
      beforeAll(async () => {
        await newContract(db, { ...options, address });
      });
      return address;
    },
    /** Submits a batch, given whole or as for `batchOf`. @returns its id */
    submit: (...given: [batch: SubmitBatchInput] | Parameters<typeof batchOf>) =>
      submit(db, given.length === 1 ? given[0] : batchOf(...given)),
    finalize: () => finalize(db),
    balance: (address: string, pointType: PointType = "PHASE2_POINTS") =>
      readAccount(db, addressToBytes(address), pointType),
  };
}
