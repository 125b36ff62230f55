import { createHash } from "node:crypto";
import type { TransactionSql } from "postgres";
import type { Database } from "@/db/client";
import { canonicalBatchText } from "@/server/batches/submit/digest";
import { databaseIsAway } from "@/server/kernel/database-faults";
import { inOneSnapshot, SnapshotUnavailableError } from "@/server/kernel/shards/snapshot-barrier";
import type { PointType } from "@/server/kernel/values/point-types";
import { readLedger } from "@/server/ledger/check-ledger";
import { TRANSFER_ROWS } from "../packed-rows";
import type { AnswerRecord } from "./record";
import type { Tally } from "./tally";

/** A claim that a dead finalizer left ends after a minute; then another one takes it over. */
const FINALIZED_WITHIN_SECONDS = 75;
const WAIT_STEP_MS = 250;

/** What holds whatever fails, by the names that the rows' promises use. */
export const INVARIANTS = {
  I1: "for each point type as much was received as was sent, and every balance is what the transfers and issuances add up to",
  I2: "nothing is negative",
  I3: "a FINALIZED batch is credited to its recipients and debited from its contract once, any other batch never",
  I4: "every submit that was acknowledged is stored, under the id and with the content that were acknowledged",
  I5: "a contract has one batch under an id",
  I6: `${FINALIZED_WITHIN_SECONDS} s after the faults have ended nothing is left that is due and not held, and nothing is FINALIZING`,
  I7: "a batch whose cancel was acknowledged is CANCELLED and stays so",
} as const;

interface StoredBatch {
  key: string;
  digest: string;
  status: string;
}

/** Reads every invariant in one snapshot and notes what does not hold: the ledger's rules, and I4, I5 and I7 by the clients' own record. */
export async function readInvariants(db: Database, record: AnswerRecord, tally: Tally): Promise<void> {
  // Taken first: what is acknowledged while the snapshot is read may be younger than it.
  const submitted = [...record.submitted];
  const cancelled = [...record.cancelled];
  await inOneSnapshot(db, "read only", async (tx) => {
    const report = await readLedger(tx);
    for (const { rule, detail } of report.findings) tally.violate(`${rule}: ${detail}`);
    const stored = await tx<StoredBatch[]>`
      select '0x' || encode(contract_address, 'hex') || '/' || id as key, encode(digest, 'hex') as digest, status
      from batches`;
    const byKey = new Map(stored.map((batch) => [batch.key, batch]));
    tally.expect(byKey.size === stored.length, "an id stands more than once in its contract");
    for (const [key, digest] of submitted) {
      const found = byKey.get(key);
      if (!found) tally.violate(`${key} was acknowledged and is lost`);
      else tally.expect(found.digest === digest, `${key} was acknowledged and holds another content`);
    }
    for (const key of cancelled) {
      const status = byKey.get(key)?.status;
      tally.expect(status === "CANCELLED", `${key} was answered as cancelled and is ${status}`);
    }
  });
  tally.reads++;
}

/** As `readInvariants`, while the database may be away: then nothing was read. */
export async function readInvariantsIfUp(db: Database, record: AnswerRecord, tally: Tally): Promise<void> {
  try {
    await readInvariants(db, record, tally);
  } catch (error) {
    if (!databaseIsAway(error) && !(error instanceof SnapshotUnavailableError)) throw error;
  }
}

/** Reads the invariants every so often, until told to stop; the stop waits for the read under way. */
export function watchInvariants(
  db: Database,
  record: AnswerRecord,
  tally: Tally,
  everyMs = 1000,
): () => Promise<void> {
  let stopped = false;
  const run = async () => {
    while (!stopped) {
      await readInvariantsIfUp(db, record, tally);
      for (let waited = 0; waited < everyMs && !stopped; waited += 100)
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

/** I6, waiting so long for it. */
export async function expectAllFinalized(
  db: Database,
  tally: Tally,
  secondsMax = FINALIZED_WITHIN_SECONDS,
): Promise<void> {
  const startedAt = performance.now();
  for (;;) {
    const [left] = await db.sql<{ count: number }[]>`
      select count(*)::int as count
      from batches where (status = 'PENDING' and held_at is null and finalize_at <= now()) or status = 'FINALIZING'`;
    if (left!.count === 0) return;
    if (performance.now() - startedAt > secondsMax * 1000) {
      tally.violate(`${left!.count} due batches were left ${secondsMax} s after the faults ended`);
      return;
    }
    await new Promise((resolve) => setTimeout(resolve, WAIT_STEP_MS));
  }
}

/** At the end: the stored transfers of every acknowledged batch have the digest of what was sent. */
export async function expectStoredContent(db: Database, record: AnswerRecord, tally: Tally): Promise<void> {
  await db.sql.begin("isolation level repeatable read read only", async (tx) => {
    for (const [key, digest] of await digestsOfRows(tx)) {
      const sent = record.submitted.get(key);
      if (sent !== undefined)
        tally.expect(sent === digest, `the transfers of ${key} are not those that were sent`);
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
