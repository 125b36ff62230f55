import { randomUUID } from "node:crypto";
import type { Sql } from "postgres";
import { createDatabase, type Database } from "@/db/client";
import type { SubmitBatchInput } from "@/server/batches/submit/submit-schema";
import { claimDueBatches } from "@/server/finalizer/claim-due-batches";
import { addressToBytes } from "@/server/kernel/address-bytes";
import { isDistributed } from "@/server/kernel/shards";
import { SUBMIT_LOCK_SPACE } from "@/server/ledger/creation-order";
import { type Claim, settleClaim } from "@/server/ledger/settle";
import type { PointType } from "@/terms/batch-terms";
import { submit } from "./factories";
import type { TestDatabase } from "./test-database";

/**
 * How many sessions of this database, or of the one with this pid, wait for another transaction's lock; on
 * Citus on any node.
 */
async function countWaiting(db: Pick<Database, "sql">, pid?: number): Promise<number> {
  const { sql } = db;
  const rows = (await isDistributed(db))
    ? await sql`
        select 1 from citus_stat_activity where datname = current_database() and wait_event_type = 'Lock'
          ${
            pid === undefined
              ? sql``
              : sql`and global_pid = citus_calculate_gpid(citus_coordinator_nodeid(), ${pid}::int)`
          }`
    : await sql`
        select 1 from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'
          and state = 'active' ${pid === undefined ? sql`` : sql`and pid = ${pid}::int`}`;
  return rows.length;
}

export const waitsForLock = async (db: Pick<Database, "sql">, pid?: number): Promise<boolean> =>
  (await countWaiting(db, pid)) > 0;

export async function untilBlocked(db: Pick<Database, "sql">, sessions = 1): Promise<void> {
  while ((await countWaiting(db)) < sessions) await new Promise((resolve) => setTimeout(resolve, 5));
}

/** Runs something while another transaction locks a table. */
export async function whileLocked<T>(db: Database, table: string, run: () => Promise<T>): Promise<T> {
  let outcome: T;
  await db.sql.begin(async (tx) => {
    await tx`lock table ${tx(table)} in access exclusive mode`;
    outcome = await run();
  });
  return outcome!;
}

const WORKER = "killed-worker";
/** Between two looks at whether a step waits for a lock. */
const PAUSE_MS_MAX = 16;

/** Connections of their own, as a worker process has. `kill` ends them as the end of that process would. */
export function openWorker(db: TestDatabase): { worker: Database; kill(): Promise<void> } {
  const url = new URL(db.url);
  url.searchParams.set("application_name", WORKER);
  const worker = createDatabase({ url: url.href, poolMax: 2, timeoutSeconds: 30, pooler: "none" });
  const kill = async () => {
    // Sessions are listed for the whole server, where other test files have workers with this name.
    await db.sql`select pg_terminate_backend(pid) from pg_stat_activity
      where datname = current_database() and application_name = ${WORKER}`;
  };
  return { worker, kill };
}

/** Every statement after the first `calls` fails, as if the process had been killed there. */
export function dyingAfter(db: Database, calls: number): Database {
  let left = calls;
  const sql = new Proxy(db.sql, {
    apply(target, self, given) {
      if (left-- <= 0) throw Object.assign(new Error("killed"), { code: "CONNECTION_CLOSED" });
      return Reflect.apply(target as never, self, given);
    },
  });
  return { ...db, sql };
}

/** Locks an account. @returns what unlocks it */
export async function lockAccount(
  { sql }: Pick<Database, "sql">,
  address: string,
  pointType: PointType = "PHASE2_POINTS",
): Promise<() => Promise<void>> {
  const holder = await sql.reserve();
  await holder`begin`;
  await holder`select 1 from accounts where address = ${addressToBytes(address)}
    and point_type = ${pointType}::point_type for update`;
  return async () => {
    await holder`commit`;
    holder.release();
  };
}

/**
 * Starts a submit that has its creation time but cannot commit, because its account is locked. `release`
 * unlocks it and returns the id.
 */
export async function holdSubmit(
  db: Database,
  batch: SubmitBatchInput,
): Promise<{ release(): Promise<string> }> {
  const letGo = await lockAccount(db, batch.contractAddress, batch.pointType);
  const submitted = submit(db, batch);
  while (!(await oneIsInFlight(db))) await new Promise((resolve) => setTimeout(resolve, 5));
  return {
    async release() {
      await letGo();
      return await submitted;
    },
  };
}

async function oneIsInFlight(db: Database): Promise<boolean> {
  const submits = await db.sql<{ pid: number }[]>`
    select pid from pg_locks where locktype = 'advisory' and classid = ${SUBMIT_LOCK_SPACE}::int::oid
      and database = (select oid from pg_database where datname = current_database())`;
  for (const { pid } of submits) if (await waitsForLock(db, pid)) return true;
  return false;
}

/** One transaction of a client, and whether it commits or rolls back, as after a crash. */
export interface Transaction {
  run(db: Database): Promise<unknown>;
  ends: "commit" | "rollback";
}

export interface Outcome {
  /** What each transaction's `run` returned, or the error it threw. */
  results: unknown[];
}

/** Every order of two clients' steps: `aabb`, `abab`, … */
export function interleavings(a: number, b: number): string[] {
  if (a === 0) return ["b".repeat(b)];
  if (b === 0) return ["a".repeat(a)];
  return [
    ...interleavings(a - 1, b).map((rest) => `a${rest}`),
    ...interleavings(a, b - 1).map((rest) => `b${rest}`),
  ];
}

/** Each transaction is two steps: its statements, and its end. */
export const stepsOf = (transactions: readonly Transaction[]): number => transactions.length * 2;

/**
 * Runs two clients step by step in a given order. A step that waits for the other client's lock stays
 * pending, and its client's later steps queue behind it, as in two processes.
 */
export async function runInOrder(
  db: Database,
  order: string,
  scripts: { a: readonly Transaction[]; b: readonly Transaction[] },
): Promise<{ a: Outcome; b: Outcome }> {
  const clients = { a: await openClient(db, scripts.a), b: await openClient(db, scripts.b) };
  try {
    for (const name of order) await clients[name as "a" | "b"].step();
    await Promise.all([clients.a.finished(), clients.b.finished()]);
    return { a: { results: clients.a.results }, b: { results: clients.b.results } };
  } finally {
    clients.a.release();
    clients.b.release();
  }
}

async function openClient(db: Database, transactions: readonly Transaction[]) {
  const sql = await db.sql.reserve();
  let pid = 0;
  // A reserved connection opens no transactions, so a verb's is a savepoint of the current one.
  const begin = async (...words: unknown[]) => {
    await sql`savepoint verb`;
    try {
      return await (words.at(-1) as (tx: Sql) => unknown)(sql);
    } catch (error) {
      await sql`rollback to savepoint verb`;
      throw error;
    }
  };
  const own: Database = {
    ...db,
    sql: Object.assign(sql, { begin, options: db.sql.options }) as unknown as Sql,
  };
  const results: unknown[] = [];
  const queue = transactions.flatMap(({ run, ends }) => [
    async () => {
      pid = 0;
      await sql`begin`;
      const [row] = await sql<{ pid: number }[]>`select pg_backend_pid() as pid`;
      pid = row!.pid;
      results.push(await run(own).catch((error: unknown) => error));
    },
    async () => void (await (ends === "commit" ? sql`commit` : sql`rollback`)),
  ]);
  let last: Promise<void> = Promise.resolve();
  let next = 0;

  async function step(): Promise<void> {
    const work = queue[next++]!;
    const before = last;
    let isDone = false;
    last = before.then(work).finally(() => {
      isDone = true;
    });
    const ended = last.catch(() => undefined);
    // A look costs as much as a short step.
    for (let pauseMs = 2; !isDone; pauseMs = Math.min(2 * pauseMs, PAUSE_MS_MAX)) {
      await Promise.race([ended, new Promise((resolve) => setTimeout(resolve, pauseMs))]);
      if (!isDone && pid && (await waitsForLock(db, pid))) return;
    }
  }
  return { step, results, finished: () => last, release: () => sql.release() };
}

/** A finalizer runs two transactions. It may crash between them or during the second. */
export const finalizing = (ends: Transaction["ends"]): Transaction[] => {
  let claim: Claim & { batches: number } = { id: randomUUID(), contracts: null, batches: 0 };
  return [
    {
      ends: "commit",
      run: async (own) => {
        claim = await claimDueBatches(own, claim.id);
      },
    },
    { ends, run: async (own) => claim.batches > 0 && (await settleClaim(own, claim)) },
  ];
};
