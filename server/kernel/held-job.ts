import { randomUUID } from "node:crypto";
import type { Fragment, Sql, TransactionSql } from "postgres";
import type { Database } from "@/db/client";
import { withTimeLimit } from "@/db/session-settings";
import { DomainError } from "@/terms/problems";
import { database } from "./database";
import { log } from "./log";
import { onOwnPool } from "./long-work";
import { tryLock } from "./shards";

/** How often a job is begun without getting further before it counts as failed. */
export const ATTEMPTS_MAX = 5;

export interface HeldJob {
  id: string;
  /** Of the worker that last began it. Only that one can store anything of it. */
  claimId: string;
  attempts: number;
  secondsMax?: number | undefined;
}

/** The job was deleted, or belongs to another worker. */
export class JobLostError extends Error {
  override name = "JobLostError";
}

/** A kind of work on rows that are RUNNING. One is done at a time, over all instances on the database. */
export interface HeldJobs<Job extends HeldJob> {
  table: string;
  claimColumn: string;
  /** Of an advisory lock of the transaction that is open during the work. It ends with its process. */
  lock: { space: number; key: number };
  /** What one attempt has. Without it, an attempt takes as long as it needs. */
  secondsMax?: number | undefined;
  open(db: Database, hold: (tx: TransactionSql) => Promise<void>): Promise<unknown>;
  /** The columns of `Job`, after those of `HeldJob`. */
  read(sql: Sql): Fragment;
  work(db: Database, tx: TransactionSql, job: Job): Promise<void>;
  /** What a row that failed loses, and the parts that are stored elsewhere. */
  reset(tx: TransactionSql): Fragment;
  deleteParts(tx: TransactionSql, id: string): PromiseLike<unknown>;
}

/** For what was requested. */
export const requestedWork = (table: string, work: (db: Database, secondsMax: number) => Promise<void>) => ({
  isDue: async (): Promise<boolean> => {
    const { sql } = database();
    return (await sql`select 1 from ${sql(table)} where status = 'RUNNING' limit 1`).length > 0;
  },
  /** On a pool of its own. @throws TooLateError */
  work: (secondsMax: number): Promise<void> => onOwnPool(secondsMax, ({ db }) => work(db, secondsMax)),
});

/**
 * One attempt. Does nothing while another worker holds the lock.
 * @throws what went wrong, unless it is a DomainError: the job would fail in the same way when tried again
 */
export async function workHeldJob<Job extends HeldJob>(
  db: Database,
  id: string,
  jobs: HeldJobs<Job>,
): Promise<void> {
  const { secondsMax } = jobs;
  let job = null as Job | null;
  try {
    await jobs.open(db, async (tx) => {
      await withTimeLimit(tx, secondsMax ?? 0);
      if (await tryLock(tx, jobs.lock)) job = await begin(db, id, jobs);
      if (job && job.attempts > ATTEMPTS_MAX) throw stuck(secondsMax);
      if (job) await jobs.work(db, tx, { ...job, secondsMax });
    });
  } catch (error) {
    if (error instanceof JobLostError) return;
    if (!job || !(error instanceof DomainError)) throw error;
    log().warn({ error, jobId: id }, "a job failed for good");
    await fail(db, jobs, job, error.message);
  }
}

function stuck(secondsMax = 0): DomainError {
  const limit = ` An attempt may take ${secondsMax} s here, and as long as it needs with \`ops\`.`;
  const what = `It was begun ${ATTEMPTS_MAX} times and did not get further.`;
  return new DomainError("query_timeout", secondsMax ? what + limit : what);
}

/** Counts the attempt, on another connection than the work's. */
async function begin<Job extends HeldJob>({ sql }: Database, id: string, jobs: HeldJobs<Job>) {
  const claim = sql(jobs.claimColumn);
  const [job] = await sql<Job[]>`
    update ${sql(jobs.table)} set ${claim} = ${randomUUID()}::uuid, attempts = attempts + 1
    where id = ${id}::uuid and status = 'RUNNING'
    returning id, ${claim} as "claimId", attempts, ${jobs.read(sql)}`;
  return job ?? null;
}

/** In the transaction that stores a part. An attempt that does is not counted. @throws JobLostError */
export async function keepPart<Job extends HeldJob>(
  tx: TransactionSql,
  { table, claimColumn }: HeldJobs<Job>,
  { id, claimId }: Job,
  changes: Fragment,
): Promise<void> {
  const kept = await tx`
    update ${tx(table)} set attempts = 0 ${changes}
    where id = ${id}::uuid and ${tx(claimColumn)} = ${claimId}::uuid and status = 'RUNNING' returning 1`;
  if (kept.length === 0) throw new JobLostError();
}

const fail = <Job extends HeldJob>(db: Database, jobs: HeldJobs<Job>, job: Job, failure: string) =>
  db.sql.begin(async (tx) => {
    const result = tx`, status = 'FAILED', finished_at = now(), failure = ${failure} ${jobs.reset(tx)}`;
    await keepPart(tx, jobs, job, result);
    await jobs.deleteParts(tx, job.id);
  });

/** Begins no job in the second half of the time, where it would be stopped before it gets further. */
export function* inFirstHalf<Job>(jobs: readonly Job[], secondsMax = Number.POSITIVE_INFINITY) {
  const endsAt = performance.now() + secondsMax * 500;
  for (const job of jobs) if (performance.now() < endsAt) yield job;
}
