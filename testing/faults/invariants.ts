import type { Database } from "@/db/client";
import { isDatabaseUnavailable } from "@/server/kernel/database-errors";
import { inOneSnapshot, SnapshotUnavailableError } from "@/server/kernel/shards";
import { readLedger } from "@/server/ledger/run-check";

/** A dead finalizer's claim expires after a minute; then another one takes over. */
const FINALIZED_WITHIN_SECONDS = 75;
const WAIT_STEP_MS = 250;
const READ_EVERY_MS = 1000;

/** The part of a run that the checks write to. */
interface Tally {
  reads: number;
  expect(holds: boolean, words: string): void;
}

/** What the service acknowledged, from the clients' own record of 2xx answers. */
export class AnswerRecord {
  /** `contract/id` → digest of the batch that was sent and acknowledged. */
  readonly submitted = new Map<string, string>();
  /** `contract/id` of batches whose cancel was acknowledged. */
  readonly cancelled = new Set<string>();
  /** Sent, but neither acknowledged nor refused yet. */
  readonly unknown = new Map<string, string>();
}

interface StoredBatch {
  key: string;
  digest: string;
  status: string;
}

/** Checks in one snapshot the ledger's rules, and what was acknowledged against the clients' own record. */
export async function readInvariants(db: Database, record: AnswerRecord, tally: Tally): Promise<void> {
  // Copied first, because batches acknowledged during the read may be newer than the snapshot.
  const submitted = [...record.submitted];
  const cancelled = [...record.cancelled];
  await inOneSnapshot(db, "read only", async (tx) => {
    const report = await readLedger(tx);
    for (const { rule, detail } of report.findings) tally.expect(false, `${rule}: ${detail}`);
    const stored = await tx<StoredBatch[]>`
      select '0x' || encode(contract_address, 'hex') || '/' || id as key, encode(digest, 'hex') as digest, status
      from batches`;
    const byKey = new Map(stored.map((batch) => [batch.key, batch]));
    tally.expect(byKey.size === stored.length, "a contract has the same id more than once");
    for (const [key, digest] of submitted) {
      const found = byKey.get(key);
      if (!found) tally.expect(false, `${key} was acknowledged but is lost`);
      else tally.expect(found.digest === digest, `${key} was acknowledged but has different content`);
    }
    for (const key of cancelled) {
      const status = byKey.get(key)?.status;
      tally.expect(status === "CANCELLED", `the cancel of ${key} was acknowledged but it is ${status}`);
    }
  });
  tally.reads++;
}

/** As `readInvariants`, but does nothing if the database is away. */
async function readInvariantsIfUp(db: Database, record: AnswerRecord, tally: Tally): Promise<void> {
  try {
    await readInvariants(db, record, tally);
  } catch (error) {
    if (!isDatabaseUnavailable(error) && !(error instanceof SnapshotUnavailableError)) throw error;
  }
}

/** Reads the invariants repeatedly. @returns a stop function, which waits for the current read */
export function watchInvariants(db: Database, record: AnswerRecord, tally: Tally): () => Promise<void> {
  let stopped = false;
  const run = async () => {
    while (!stopped) {
      await readInvariantsIfUp(db, record, tally);
      for (let waited = 0; waited < READ_EVERY_MS && !stopped; waited += 100)
        await new Promise((resolve) => setTimeout(resolve, 100));
    }
  };
  const running = run();
  running.catch(() => undefined);
  return () => {
    stopped = true;
    return running;
  };
}

/** Waits up to `secondsMax` until no batch is due and not on hold, and none is FINALIZING. */
export async function expectAllFinalized(
  db: Database,
  tally: Tally,
  secondsMax = FINALIZED_WITHIN_SECONDS,
): Promise<void> {
  const startedAt = performance.now();
  for (;;) {
    const [left] = await db.sql<{ count: number }[]>`
      select count(*)::int as count
      from batches where (status = 'PENDING' and held_at is null and not awaits_approval and finalize_at <= now()) or status = 'FINALIZING'`;
    if (left!.count === 0) return;
    if (performance.now() - startedAt > secondsMax * 1000) {
      tally.expect(false, `${left!.count} batches were still due ${secondsMax} s after the faults ended`);
      return;
    }
    await new Promise((resolve) => setTimeout(resolve, WAIT_STEP_MS));
  }
}
