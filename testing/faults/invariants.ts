import { createHash } from "node:crypto";
import type { TransactionSql } from "postgres";
import type { Database } from "@/db/client";
import { canonicalBatchText } from "@/server/batches/submit/digest";
import { isDatabaseUnavailable } from "@/server/kernel/database-errors";
import { inOneSnapshot, SnapshotUnavailableError } from "@/server/kernel/shards";
import type { PointType } from "@/server/kernel/values/batch-terms";
import { readLedger } from "@/server/ledger/check-ledger";
import { TRANSFER_ROWS } from "../packed-rows";
import type { AnswerRecord } from "./record";
import type { Tally } from "./tally";

/** A dead finalizer's claim expires after a minute; then another one takes over. */
const FINALIZED_WITHIN_SECONDS = 75;
const WAIT_STEP_MS = 250;
const READ_EVERY_MS = 1000;

/** What must hold whatever fails. The rows' promises use these names. */
export const INVARIANTS = {
  I1: "for each point type as many points were received as were sent, and every balance equals its transfers and issuances",
  I2: "no balance is negative",
  I3: "a FINALIZED batch is credited to its recipients and debited from its contract once, any other batch never",
  I4: "every acknowledged submit is stored, under its id and with its content",
  I5: "an id is unique within its contract",
  I6: `${FINALIZED_WITHIN_SECONDS} s after the faults end, no batch is due and not on hold, and none is FINALIZING`,
  I7: "a batch whose cancel was acknowledged is CANCELLED and stays CANCELLED",
} as const;

interface StoredBatch {
  key: string;
  digest: string;
  status: string;
}

/** Checks every invariant in one snapshot: the ledger's rules, and I4, I5 and I7 against the clients' own record. */
export async function readInvariants(db: Database, record: AnswerRecord, tally: Tally): Promise<void> {
  // Copied first, because batches acknowledged during the read may be newer than the snapshot.
  const submitted = [...record.submitted];
  const cancelled = [...record.cancelled];
  await inOneSnapshot(db, "read only", async (tx) => {
    const report = await readLedger(tx);
    for (const { rule, detail } of report.findings) tally.violate(`${rule}: ${detail}`);
    const stored = await tx<StoredBatch[]>`
      select '0x' || encode(contract_address, 'hex') || '/' || id as key, encode(digest, 'hex') as digest, status
      from batches`;
    const byKey = new Map(stored.map((batch) => [batch.key, batch]));
    tally.expect(byKey.size === stored.length, "a contract has the same id more than once");
    for (const [key, digest] of submitted) {
      const found = byKey.get(key);
      if (!found) tally.violate(`${key} was acknowledged but is lost`);
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

/** Waits up to `secondsMax` for I6. */
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
      tally.violate(`${left!.count} batches were still due ${secondsMax} s after the faults ended`);
      return;
    }
    await new Promise((resolve) => setTimeout(resolve, WAIT_STEP_MS));
  }
}

/** At the end, the stored transfers of every acknowledged batch must have the digest of what was sent. */
export async function expectStoredContent(db: Database, record: AnswerRecord, tally: Tally): Promise<void> {
  await db.sql.begin("isolation level repeatable read read only", async (tx) => {
    for (const [key, digest] of await digestsOfRows(tx)) {
      const sent = record.submitted.get(key);
      if (sent !== undefined)
        tally.expect(sent === digest, `the transfers of ${key} differ from what was sent`);
    }
  });
}

async function digestsOfRows(tx: TransactionSql): Promise<Map<string, string>> {
  const rows = await tx<
    {
      contract: string;
      id: string;
      type: PointType;
      wait: number;
      transfers: { to: string; points: string }[];
    }[]
  >`
    select '0x' || encode(b.contract_address, 'hex') as contract, b.id, b.point_type as type, b.wait_seconds as wait,
      json_agg(json_build_object('to', '0x' || encode(t.to_address, 'hex'), 'points', t.points::text)
        order by t.position) as transfers
    from batches b join ${tx.unsafe(TRANSFER_ROWS)} t on t.batch_seq = b.seq and t.contract_address = b.contract_address
    group by b.contract_address, b.seq, b.id, b.point_type, b.wait_seconds`;
  return new Map(
    rows.map(({ contract, id, type, wait, transfers }) => {
      const text = canonicalBatchText({
        contractAddress: contract,
        pointType: type,
        secondsToFinalize: wait,
        transfers: transfers.map(({ to, points }) => ({ toAddress: to, points })),
      });
      return [`${contract}/${id}`, createHash("sha256").update(text).digest("hex")] as const;
    }),
  );
}
