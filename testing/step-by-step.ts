import type { Sql } from "postgres";
import type { Database } from "@/db/client";
import { waitsForLock } from "./until-blocked";

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
 * Runs two clients step by step in a given order. A step that waits for the other client's lock stays pending, and its client's
 * later steps queue behind it, as in two processes.
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
  // The current transaction's backend, because a pooler may give each transaction another one.
  let pid = 0;
  // A reserved connection cannot open transactions, so a verb's transaction is part of the current one.
  const begin = async (...words: unknown[]) => await (words.at(-1) as (tx: Sql) => unknown)(sql);
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
    last.catch(() => undefined);
    while (!isDone && !(pid && (await waitsForLock(db, pid))))
      await new Promise((resolve) => setTimeout(resolve, 1));
  }
  return { step, results, finished: () => last, release: () => sql.release() };
}
