import { createHash } from "node:crypto";
import { setImmediate } from "node:timers/promises";
import type { TransactionSql } from "postgres";
import { type Database, within } from "@/db/client";
import { someOf } from "@/db/migrate";
import { withTimeLimit } from "@/db/session-settings";
import { withTimes } from "@/server/kernel/batch-rows";
import {
  type HeldJob,
  type HeldJobs,
  inFirstHalf,
  JobLostError,
  keepPart,
  requestedWork,
  workHeldJob,
} from "@/server/kernel/held-job";
import { inOneSnapshot } from "@/server/kernel/shards";
import { invalid } from "@/server/kernel/to-domain-error";
import { UNSETTLED_SECONDS } from "@/server/ledger/checkpoint";
import { prepareLongReads } from "@/server/ledger/run-check";
import { openBefore } from "@/server/ledger/settled-through";
import { formatPoints, parseSum, shortestPoints } from "@/terms/points";
import { DomainError } from "@/terms/problems";
import { computeChange } from "./read-change";
import { parseHolding, readHoldings, readLedgerTotal, type SnapshotScope } from "./read-holdings";
import { computeSpread } from "./read-spread";
import { snapshotBytes, storedRows } from "./snapshot-text";

export const SNAPSHOT_LOCK = { space: 7_262_547, key: 1 } as const;

/** The bound of a row of `snapshot_holders`. */
const HOLDERS_PER_ROW = 10_000;

interface Job extends SnapshotScope, HeldJob {}

/**
 * Takes the snapshots that were requested, one after the other. Safe to run concurrently: one worker holds
 * the lock. What a killed one stored is kept, and the next continues: what anyone held at an instant that is
 * settled never changes.
 * @param db a pool of two connections or more, which allows long statements
 */
export async function takeSnapshots(db: Database, secondsMax?: number): Promise<void> {
  const running = await db.sql<{ id: string; asOf: string; isLate: boolean }[]>`
    select id, as_of as "asOf",
      requested_at < now() - ${UNSETTLED_SECONDS}::int * interval '1 second' as "isLate"
    from snapshots where status = 'RUNNING' order by requested_at, id`;
  for (const { id, asOf, isLate } of inFirstHalf(running, secondsMax)) {
    const open = await openBefore(db, asOf);
    const giveUp = () => Promise.reject(invalid(`${STILL_OPEN}: ${someOf(open ?? [])}.`));
    if (open?.length === 0) await workHeldJob(db, id, { ...SNAPSHOTS, secondsMax });
    else if (isLate) await workHeldJob(db, id, { ...SNAPSHOTS, work: giveUp });
  }
}

export const STILL_OPEN = "Transactions that began before its instant have not ended";

export const deleteHolders = (tx: TransactionSql, id: string) =>
  tx`delete from snapshot_holders where snapshot_id = ${snapshotBytes(id)}`;

const SNAPSHOTS: HeldJobs<Job> = {
  table: "snapshots",
  claimColumn: "claim_id",
  lock: SNAPSHOT_LOCK,
  // In one view, in which the snapshot's own rows are not seen: those are written on other connections.
  open: (db, hold) => inOneSnapshot(db, "read only", hold),
  read: (sql) => sql`point_type as "pointType", contract_address as contract,
    includes_contracts as "includesContracts", as_of as "asOf"`,
  async work(db, tx, row) {
    const job = withTimes(row, "asOf");
    await prepareLongReads(tx);
    const { digest, leftOut } = await storeHoldings(db, tx, job);
    await finish(db, job, digest, leftOut, await readLedgerTotal(tx, job));
  },
  reset: (tx) => tx`, holders = 0, points = 0`,
  deleteParts: deleteHolders,
};

/** Continues after the last holder that is stored. While one part is stored, the next is read. */
async function storeHoldings(db: Database, tx: TransactionSql, job: Job) {
  const hash = createHash("sha256");
  let last = "";
  for await (const { text } of storedRows(db.sql, job.id)) {
    hash.update(text);
    last = text.slice(text.lastIndexOf("0x") + 2, text.lastIndexOf(" "));
  }
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
    for await (const lines of readHoldings(db, tx, job, last))
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

const storeRow = (db: Database, job: Job, { holders, addresses, points }: Part) =>
  db.sql.begin(async (tx) => {
    const sum = tx`(select sum(p) from unnest(${`{${points}}`}::text::numeric[]) as p)`;
    const changes = tx`, holders = holders + ${holders}::int, points = points + ${sum}`;
    await keepPart(tx, SNAPSHOTS, job, changes);
    await tx`
      insert into snapshot_holders (snapshot_id, first_address, addresses, points)
      values (${snapshotBytes(job.id)}, ${`\\x${addresses.slice(0, 40)}`}::text::bytea,
        ${`\\x${addresses}`}::text::bytea, ${`{${points}}`}::text::numeric(68,12)[])`;
  });

/** From here on it is seen, and never changes. */
async function finish(db: Database, job: Job, digest: Buffer, leftOut: bigint, total: string): Promise<void> {
  const [row] = await db.sql<{ points: string; holders: number }[]>`
    select points, holders::float8 as holders from snapshots where id = ${job.id}::uuid`;
  if (!row) throw new JobLostError();
  const points = parseSum(shortestPoints(row.points));
  if (points + leftOut !== parseSum(shortestPoints(total)))
    throw new DomainError(
      "ledger_not_in_balance",
      `The holders have ${formatPoints(points)} points, and ${formatPoints(leftOut)} were left out. ` +
        `The ledger's total is ${shortestPoints(total)}.`,
    );
  const figures = JSON.stringify(await computeFigures(db, job, row.holders));
  await db.sql.begin((tx) => {
    const result = tx`, status = 'TAKEN', finished_at = now(), digest = ${digest},
      figures = ${figures}::text::jsonb, left_out = ${formatPoints(leftOut)}::text::numeric,
      ledger_total = ${total}::text::numeric`;
    return keepPart(tx, SNAPSHOTS, job, result);
  });
}

/** They never change. People who look at them would wait for seconds. */
const computeFigures = (db: Database, job: Job, holders: number) =>
  db.sql.begin("read only", async (tx) => {
    await withTimeLimit(tx, job.secondsMax ?? 0);
    await prepareLongReads(tx);
    const on = within(db, tx);
    return { spread: await computeSpread(on, job.id, holders), change: await computeChange(on, job) };
  });

export const requestedSnapshots = requestedWork("snapshots", takeSnapshots);
