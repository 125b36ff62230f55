import { createHash } from "node:crypto";
import { setImmediate } from "node:timers/promises";
import type { TransactionSql } from "postgres";
import { type Database, within } from "@/db/client";
import { someOf } from "@/db/migrate";
import { withTimes } from "@/server/kernel/batch-rows";
import { database } from "@/server/kernel/database";
import {
  type HeldJob,
  type HeldJobs,
  JobLostError,
  JobRefusedError,
  workHeldJob,
} from "@/server/kernel/held-job";
import { onOwnPool } from "@/server/kernel/long-work";
import { inOneSnapshot, tryLock } from "@/server/kernel/shards";
import { UNSETTLED_SECONDS } from "@/server/ledger/checkpoint";
import { prepareLongReads } from "@/server/ledger/run-check";
import { isSettledThrough, openBefore } from "@/server/ledger/settled-through";
import { formatPoints, parseSum, shortestPoints } from "@/terms/points";
import { computeChange } from "./read-change";
import { parseHolding, readHoldings, readLedgerTotal, type SnapshotScope } from "./read-holdings";
import { computeSpread } from "./read-spread";
import { snapshotBytes } from "./snapshot-text";

export const SNAPSHOT_LOCK = { space: 7_262_547, key: 1 } as const;

/** The bound of a row of `snapshot_holders`. */
const HOLDERS_PER_ROW = 10_000;

interface Job extends SnapshotScope, HeldJob {}

interface Requested {
  id: string;
  /** Of the worker that has begun it. */
  claimId: string | null;
  asOf: string;
  isLate: boolean;
}

/**
 * Safe to run concurrently: one worker holds the lock. Whatever a killed one stored is never read; the next
 * begins again, since only an open transaction has the same view.
 * @param db a pool of two connections or more, which allows long statements
 */
export async function takeSnapshots(db: Database, isStopping: () => boolean = () => false): Promise<void> {
  const running = await db.sql<Requested[]>`
    select id, claim_id as "claimId", as_of as "asOf",
      requested_at < now() - ${UNSETTLED_SECONDS}::int * interval '1 second' as "isLate"
    from snapshots where status = 'RUNNING' order by requested_at, id`;
  for (const snapshot of running) {
    if (isStopping()) return;
    if (await isSettledThrough(db, snapshot.asOf)) await workHeldJob(db, snapshot.id, SNAPSHOTS);
    else if (snapshot.isLate) await giveUp(db, snapshot);
  }
}

export const STILL_OPEN = "Transactions that began before its instant have not ended";

/** Under the lock, so that no worker is storing its holders. An interrupted one has left its claim. */
async function giveUp(db: Database, { id, claimId, asOf }: Requested): Promise<void> {
  await db.sql.begin(async (tx) => {
    if (await tryLock(tx, SNAPSHOT_LOCK))
      await fail(db, id, claimId, `${STILL_OPEN}: ${someOf((await openBefore(db, asOf)) ?? [])}.`);
  });
}

const SNAPSHOTS: HeldJobs<Job> = {
  lock: SNAPSHOT_LOCK,
  // In one view, in which the snapshot's own rows are not seen: those are written on other connections.
  open: (db, hold) => inOneSnapshot(db, "read only", hold),
  begin,
  async work(db, tx, job) {
    await prepareLongReads(tx);
    const stored = await storeHoldings(db, tx, job);
    await finish(db, job, stored, await readLedgerTotal(tx, job));
  },
  fail,
};

/** Begins again without what an earlier attempt stored. */
async function begin(db: Database, id: string, claimId: string): Promise<Job | undefined> {
  return await db.sql.begin(async (tx) => {
    const [job] = await tx<Job[]>`
      update snapshots set claim_id = ${claimId}::uuid, attempts = attempts + 1, holders = 0, points = 0
      where id = ${id}::uuid and status = 'RUNNING'
      returning id, claim_id as "claimId", attempts, point_type as "pointType", contract_address as contract,
        includes_contracts as "includesContracts", as_of as "asOf"`;
    if (job) await deleteHolders(tx, id);
    return job && withTimes(job, "asOf");
  });
}

export const deleteHolders = (tx: TransactionSql, id: string) =>
  tx`delete from snapshot_holders where snapshot_id = ${snapshotBytes(id)}`;

type Stored = { digest: Buffer; leftOut: bigint };

/** While one part is stored, the next is read. */
async function storeHoldings(db: Database, tx: TransactionSql, job: Job): Promise<Stored> {
  const hash = createHash("sha256");
  let leftOut = 0n;
  let part = emptyPart();
  let storing: Promise<void> = Promise.resolve();
  const storePart = async () => {
    const full = part;
    part = emptyPart();
    hash.update(full.text);
    // Requests that this process serves come first.
    await setImmediate();
    await storing;
    storing = storeRow(db, job, full);
    // It is awaited a part later, and must not count as unhandled until then.
    storing.catch(() => undefined);
  };
  try {
    for await (const lines of readHoldings(db, tx, job))
      for (const line of lines) {
        const { address, points, isContract } = parseHolding(line);
        if (isContract) leftOut += parseSum(points);
        else if (points !== "0") addTo(part, address, points);
        // All rows but the last are full, which pages of holders count on.
        if (part.holders === HOLDERS_PER_ROW) await storePart();
      }
    if (part.holders > 0) await storePart();
  } finally {
    await storing;
  }
  return { digest: hash.digest(), leftOut };
}

/** Holders of one row: their lines of the canonical text, and its columns as Postgres reads them. */
const emptyPart = () => ({ holders: 0, text: "", addresses: "", points: "" });
type Part = ReturnType<typeof emptyPart>;

function addTo(part: Part, address: string, points: string): void {
  part.holders++;
  part.text += `0x${address} ${points}\n`;
  part.addresses += address;
  part.points += part.points === "" ? points : `,${points}`;
}

/** The claim is compared in the same transaction, so a worker that lost it can store nothing more. */
async function storeRow(db: Database, job: Job, { holders, addresses, points }: Part): Promise<void> {
  await db.sql.begin(async (tx) => {
    const kept = await tx`
      update snapshots set holders = holders + ${holders}::int,
        points = points + (select sum(p) from unnest(${`{${points}}`}::text::numeric[]) as p)
      where id = ${job.id}::uuid and claim_id = ${job.claimId}::uuid and status = 'RUNNING' returning 1`;
    if (kept.length === 0) throw new JobLostError();
    await tx`
      insert into snapshot_holders (snapshot_id, first_address, addresses, points)
      values (${snapshotBytes(job.id)}, ${`\\x${addresses.slice(0, 40)}`}::text::bytea,
        ${`\\x${addresses}`}::text::bytea, ${`{${points}}`}::text::numeric(68,12)[])`;
  });
}

/** From here on it is seen, and never changes. */
async function finish(db: Database, job: Job, { digest, leftOut }: Stored, total: string): Promise<void> {
  const own = db.sql`id = ${job.id}::uuid and claim_id = ${job.claimId}::uuid and status = 'RUNNING'`;
  const [row] = await db.sql<{ points: string; holders: number }[]>`
    select points, holders::float8 as holders from snapshots where ${own}`;
  if (!row) throw new JobLostError();
  const points = parseSum(shortestPoints(row.points));
  if (points + leftOut !== parseSum(shortestPoints(total)))
    throw new JobRefusedError(
      `The holders have ${formatPoints(points)} points, and ${formatPoints(leftOut)} were left out. ` +
        `The ledger's total is ${shortestPoints(total)}.`,
    );
  const figures = JSON.stringify(await computeFigures(db, job, row.holders));
  const finished = await db.sql`
    update snapshots set status = 'TAKEN', finished_at = now(), digest = ${digest},
      figures = ${figures}::text::jsonb, left_out = ${formatPoints(leftOut)}::text::numeric,
      ledger_total = ${total}::text::numeric
    where ${own} returning 1`;
  if (finished.length === 0) throw new JobLostError();
}

/** They never change. People who look at them would wait for seconds. */
const computeFigures = (db: Database, job: Job, holders: number) =>
  db.sql.begin("read only", async (tx) => {
    await prepareLongReads(tx);
    const on = within(db, tx);
    return { spread: await computeSpread(on, job.id, holders), change: await computeChange(on, job) };
  });

/** @param claimId of the worker, so that it ends nothing that another one has begun again */
async function fail(db: Database, id: string, claimId: string | null, failure: string): Promise<void> {
  await db.sql.begin(async (tx) => {
    const failed = await tx`
      update snapshots
      set status = 'FAILED', finished_at = now(), failure = ${failure}, holders = 0, points = 0
      where id = ${id}::uuid and claim_id is not distinct from ${claimId}::uuid and status = 'RUNNING'
      returning 1`;
    if (failed.length > 0) await deleteHolders(tx, id);
  });
}

export async function takeRequestedSnapshots(secondsMax: number, isStopping?: () => boolean): Promise<void> {
  const requested = await database().sql`select 1 from snapshots where status = 'RUNNING' limit 1`;
  if (requested.length > 0) await onOwnPool(secondsMax, ({ db }) => takeSnapshots(db, isStopping));
}
