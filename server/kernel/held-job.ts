import { randomUUID } from "node:crypto";
import type { TransactionSql } from "postgres";
import type { Database } from "@/db/client";
import { withTimeLimit } from "@/db/session-settings";
import { DomainError } from "@/terms/problems";
import { log } from "./log";
import { tryLock } from "./shards";

/** How often a job is begun before it counts as failed. */
export const ATTEMPTS_MAX = 5;

export interface HeldJob {
  id: string;
  /** Of the worker that last began it. Only that one can finish it. */
  claimId: string;
  attempts: number;
  secondsMax?: number | undefined;
}

export class JobLostError extends Error {
  override name = "JobLostError";
  override message = "The job was deleted, or belongs to another worker.";
}

/** It would fail in the same way when tried again. */
export class JobRefusedError extends Error {
  override name = "JobRefusedError";
}

/** A kind of work on rows that are RUNNING. One is done at a time, over all instances on the database. */
export interface HeldJobs<Job extends HeldJob> {
  /**
   * Keys of an advisory lock. The transaction that does the work holds it, so it is free as soon as that has
   * ended, even if its process was killed.
   */
  lock: { space: number; key: number };
  /** What one attempt has. Without it, an attempt takes as long as it needs. */
  secondsMax?: number | undefined;
  open(db: Database, hold: (tx: TransactionSql) => Promise<void>): Promise<unknown>;
  /** Counts the attempt, in a transaction of its own, and drops what an earlier one stored. */
  begin(db: Database, id: string, claimId: string): Promise<Job | undefined>;
  work(db: Database, tx: TransactionSql, job: Job): Promise<void>;
  /** @param claimId so that it ends nothing that another worker has begun again */
  fail(db: Database, id: string, claimId: string | null, failure: string): Promise<unknown>;
}

/**
 * One attempt. Does nothing while another worker holds the lock.
 * @throws what went wrong, as long as another attempt is left
 */
export async function workHeldJob<Job extends HeldJob>(
  db: Database,
  id: string,
  jobs: HeldJobs<Job>,
): Promise<void> {
  let job = null as Job | null;
  try {
    await jobs.open(db, async (tx) => {
      await withTimeLimit(tx, jobs.secondsMax ?? 0);
      job = (await tryLock(tx, jobs.lock)) ? await beginAttempt(db, id, jobs) : null;
      if (job) await jobs.work(db, tx, { ...job, secondsMax: jobs.secondsMax });
    });
  } catch (error) {
    if (error instanceof JobLostError) return;
    const isRefused = error instanceof JobRefusedError || error instanceof DomainError;
    if (!job || (!isRefused && job.attempts < ATTEMPTS_MAX)) throw error;
    if (!(error instanceof DomainError)) log().error({ error, jobId: id }, "a job failed for good");
    await jobs.fail(db, id, job.claimId, isRefused ? error.message : "It failed. The log has the details.");
  }
}

async function beginAttempt<Job extends HeldJob>(db: Database, id: string, jobs: HeldJobs<Job>) {
  const claimId = randomUUID();
  const job = await jobs.begin(db, id, claimId);
  if (!job || job.attempts <= ATTEMPTS_MAX) return job ?? null;
  const limit = jobs.secondsMax ? `. Here it may take ${jobs.secondsMax} s, and by \`ops\` any time` : "";
  await jobs.fail(db, id, claimId, `It was interrupted ${ATTEMPTS_MAX} times${limit}.`);
  return null;
}
