import type { TransactionSql } from "postgres";
import { beforeAll, beforeEach, describe, expect, test } from "vitest";
import { withSql } from "@/testing/citus/make-database";
import { onEveryNode } from "@/testing/citus/test-databases";
import { times } from "@/testing/factories";
import { useLedger } from "@/testing/use-ledger";
import { checkLedger, readLedger } from "../ledger/check-ledger";
import { runCheck } from "../ledger/run-check";
import { catchUpRecipients } from "../recipients/index-recipients";
import { crossingShards, inOneSnapshot, SnapshotUnavailableError } from "./shards";

const CITUS_URL = process.env.CITUS_URL as string;
const WALLETS = 60;
const ONE_TRY = { attempts: 1, lockWaitMs: 200, restMs: 0 };

const { db, newContract, submit, finalize } = useLedger({ poolMax: 12 });
let contracts: string[];
let workers: string[];

beforeAll(async () => {
  contracts = await times(8, () => newContract());
  [, ...workers] = await onEveryNode(CITUS_URL, new URL(db.url).pathname.slice(1));
});
beforeEach(() => finalize());

/** Submits due batches, each to wallets on every shard. */
const submitDue = () =>
  Promise.all(
    contracts.map((contract) =>
      submit(
        contract,
        Array.from({ length: WALLETS }, (_, at) => [at + 1, "1.25"] as const),
      ),
    ),
  );

/** Settles and indexes until stopped, and returns the number of batches. */
function settleOn(): { stop: () => Promise<number> } {
  let stopped = false;
  const run = async () => {
    let batches = 0;
    while (!stopped) {
      await submitDue();
      batches += (await finalize()).batchesFinalized;
      await catchUpRecipients(db, 1);
    }
    return batches;
  };
  const running = run();
  running.catch(() => undefined);
  return {
    stop: () => {
      stopped = true;
      return running;
    },
  };
}

function gate(): [passed: Promise<void>, open: () => void] {
  let open: () => void = () => undefined;
  const passed = new Promise<void>((resolve) => {
    open = resolve;
  });
  return [passed, open];
}

/** Reads from one worker only. A Citus transaction starts on no more than that. */
async function readOneShard(tx: TransactionSql): Promise<void> {
  await tx`select count(*) from accounts where address = ${Buffer.from(contracts[0]!.slice(2), "hex")}`;
}

describe("a snapshot over several workers", () => {
  test("shows half of a settlement when opened on one worker after another, and the self-check reports it", async () => {
    await submitDue();
    const findings = await db.sql.begin("isolation level repeatable read", async (tx) => {
      await readOneShard(tx);
      expect(await finalize()).toMatchObject({ batchesFinalized: contracts.length, failure: null });
      return (await readLedger(tx)).findings;
    });
    expect(findings.map(({ rule }) => rule)).toEqual(expect.arrayContaining(["accounts_match_transfers"]));
    expect((await checkLedger(db)).findings).toEqual([]);
  });

  test("behind the barrier does not change, no matter what is settled meanwhile", async () => {
    await submitDue();
    const report = await inOneSnapshot(db, "read only", async (tx) => {
      expect(await finalize()).toMatchObject({ batchesFinalized: contracts.length, failure: null });
      await catchUpRecipients(db, 5);
      return await readLedger(tx);
    });
    expect(report.findings).toEqual([]);
  });

  test("is a single transaction, and so a single snapshot, on each worker", async () => {
    const readers = await inOneSnapshot(db, "read only", async (tx) => {
      await readLedger(tx);
      return await Promise.all(
        workers.map((url) =>
          withSql(
            url,
            (sql) => sql`select pid from pg_stat_activity
              where datname = current_database() and backend_xmin is not null and pid <> pg_backend_pid()`,
          ),
        ),
      );
    });
    expect(readers.map(({ length }) => length)).toEqual(workers.map(() => 1));
  });
});

describe("self-checks during finalizing", () => {
  test.each(["whole", "incremental"] as const)(
    "that are %s find nothing, and finalizing continues",
    async (reach) => {
      const options = { startedBy: "test", secondsMax: 60, slices: 3, unsettledSeconds: 1 };
      expect(await runCheck(db, options)).toMatchObject({ ok: true });
      const work = settleOn();
      for (let check = 0; check < 12; check++) {
        const report = await runCheck(db, { ...options, reach });
        expect(report).toMatchObject({ ok: true, reach, findings: [] });
      }
      expect(await work.stop()).toBeGreaterThan(contracts.length);
    },
  );
});

describe("a reader", () => {
  test("waits for a cross-shard transaction, and blocks the next one only until its snapshots are open", async () => {
    const order: string[] = [];
    const [held, letGo] = gate();
    const [inside, begun] = gate();
    const first = crossingShards(db, async () => {
      begun();
      await held;
      order.push("first write");
    });
    await inside;
    const reader = inOneSnapshot(db, "read only", async () => {
      order.push("reader begins");
      await crossingShards(db, async () => order.push("second write"));
      order.push("reader ends");
    });
    await new Promise((resolve) => setTimeout(resolve, 300));
    letGo();
    await Promise.all([first, reader]);
    expect(order).toEqual(["first write", "reader begins", "second write", "reader ends"]);
  });

  test("gives up before it starts when a write takes too long, and leaves no lock behind", async () => {
    let hasBegun = false;
    const begin = async () => {
      hasBegun = true;
    };
    await crossingShards(db, async () => {
      const reading = inOneSnapshot(db, "read only", begin, ONE_TRY);
      await expect(reading).rejects.toThrow(SnapshotUnavailableError);
    });
    expect(hasBegun).toBe(false);
    await submitDue();
    expect(await finalize()).toMatchObject({ dueLeft: 0, failure: null });
  });

  test("does not read while a worker has a prepared transaction that a crash left uncommitted", async () => {
    const [, last] = workers as [string, string];
    await withSql(last, async (sql) => {
      await sql.unsafe("begin; create table left_by_crash (); prepare transaction 'left_by_crash'").simple();
      await expect(inOneSnapshot(db, "read only", readOneShard, ONE_TRY)).rejects.toThrow(
        SnapshotUnavailableError,
      );
      setTimeout(() => void sql.unsafe("rollback prepared 'left_by_crash'").execute(), 1000);
      await inOneSnapshot(db, "read only", readOneShard, { ...ONE_TRY, attempts: 5, restMs: 500 });
    });
  });
});
