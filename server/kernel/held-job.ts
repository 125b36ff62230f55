import { randomUUID } from "node:crypto";
import type { Fragment, Sql, TransactionSql } from "postgres";
import type { Database } from "@/db/client";
import { withTimeLimit } from "@/db/session-settings";
import { DomainError } from "@/terms/problems";
import { log } from "./log";
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
  /**
   * Keys of an advisory lock. The transaction that is open during the work holds it, so it is free as soon as
   * that has ended, even if its process was killed.
   */
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

type Kind = Pick<HeldJobs<HeldJob>, "table" | "claimColumn" | "reset" | "deleteParts">;
type Own = Pick<HeldJob, "id" | "claimId">;

export const isRequested = async ({ sql }: Pick<Database, "sql">, table: string): Promise<boolean> =>
  (await sql`select 1 from ${sql(table)} where status = 'RUNNING' limit 1`).length > 0;

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

const stuck = (secondsMax?: number) =>
  new DomainError(
    "query_timeout",
    `It was begun ${ATTEMPTS_MAX} times and did not get further.` +
      (secondsMax ? ` An attempt may take ${secondsMax} s here, and as long as it needs with \`ops\`.` : ""),
  );

/** Counts the attempt, on another connection than the work's. */
async function begin<Job extends HeldJob>({ sql }: Database, id: string, jobs: HeldJobs<Job>) {
  const claim = sql(jobs.claimColumn);
  const [job] = await sql<Job[]>`
    update ${sql(jobs.table)} set ${claim} = ${randomUUID()}::uuid, attempts = attempts + 1
    where id = ${id}::uuid and status = 'RUNNING'
    returning id, ${claim} as "claimId", attempts, ${jobs.read(sql)}`;
  return job ?? null;
}

/** Of a job that another worker has begun again, nothing more is stored. */
const isOwn = (tx: TransactionSql, { claimColumn }: Kind, { id, claimId }: Own) => tx`
  id = ${id}::uuid and ${tx(claimColumn)} = ${claimId}::uuid and status = 'RUNNING'`;

/**
 * Changes the row in the transaction that stores a part. An attempt that does is not counted.
 * @throws JobLostError
 */
export async function keepPart(tx: TransactionSql, jobs: Kind, job: Own, changes: Fragment): Promise<void> {
  const kept = await tx`
    update ${tx(jobs.table)} set attempts = 0 ${changes} where ${isOwn(tx, jobs, job)} returning 1`;
  if (kept.length === 0) throw new JobLostError();
}

const fail = (db: Database, jobs: Kind, job: Own, failure: string) =>
  db.sql.begin(async (tx) => {
    const failed = await tx`
      update ${tx(jobs.table)}
      set status = 'FAILED', finished_at = now(), failure = ${failure} ${jobs.reset(tx)}
      where ${isOwn(tx, jobs, job)} returning 1`;
    if (failed.length > 0) await jobs.deleteParts(tx, job.id);
  });

/** Begins no job in the second half of the time, where it would be stopped before it gets further. */
export function* inFirstHalf<Job>(jobs: readonly Job[], secondsMax = Number.POSITIVE_INFINITY) {
  const endsAt = performance.now() + secondsMax * 500;
  for (const job of jobs) if (performance.now() < endsAt) yield job;
}
