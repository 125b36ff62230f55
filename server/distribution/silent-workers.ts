import type { Database } from "@/db/client";
import { askFor } from "@/db/session-settings";
import { addressToBytes } from "@/server/kernel/address-bytes";
import { isDatabaseUnavailable, postgresError } from "@/server/kernel/database-errors";
import { perDatabase } from "@/server/kernel/process";
import { unavailable } from "@/server/kernel/retry-after";
import { isDistributed } from "@/server/kernel/shards";

/** A refused connection fails immediately. A request that fails later than this has blocked a pooled one. */
const WAITED_MS = 2500;
const LOOK_AGAIN_MS = 1000;
const LOOK_MS_MAX = 3000;
/** A healthy worker answers a check within milliseconds, so until then its requests are not refused. */
const GRACE_MS = 300;
const RETRY_AFTER_SECONDS = 2;
/** Connection failures and statement timeouts. */
const SILENCE_STATES = /^(?:08...|57014)$/;

/** Called when the work for a worker is done, with its error if it failed. */
type Leave = (error?: unknown) => void;

/**
 * Tracks workers that do not respond, for example after losing their network. A few requests for such a
 * worker would block all pooled connections until they time out. So after one timeout the worker is checked,
 * and if it does not respond soon, its requests are refused immediately until it does. A request may also
 * time out because of another worker.
 */
export class SilentWorkers {
  /** When each worker was last checked. */
  readonly #silent = new Map<number, number>();
  readonly #looking = new Set<number>();
  readonly #answers: (worker: number) => Promise<boolean>;
  readonly #now: () => number;

  /** @param answers checks whether a worker responds now */
  constructor(answers: (worker: number) => Promise<boolean>, now = () => performance.now()) {
    this.#answers = answers;
    this.#now = now;
  }

  /** @throws DomainError `unavailable` with `Retry-After` */
  enter(worker: number): Leave {
    const lookedAt = this.#silent.get(worker);
    if (lookedAt !== undefined) {
      if (this.#now() - lookedAt >= LOOK_AGAIN_MS) void this.#look(worker);
      throw unavailable(
        "Part of the database is not responding. Nothing was stored. Retry shortly.",
        RETRY_AFTER_SECONDS,
      );
    }
    const enteredAt = this.#now();
    return (error) => {
      if (this.#now() - enteredAt >= WAITED_MS && isSilence(error)) void this.#look(worker);
    };
  }

  async #look(worker: number): Promise<void> {
    if (this.#looking.has(worker)) return;
    this.#looking.add(worker);
    const grace = setTimeout(() => this.#silent.set(worker, this.#now()), GRACE_MS);
    const isUp = await this.#answers(worker).catch(() => false);
    clearTimeout(grace);
    this.#looking.delete(worker);
    if (isUp) this.#silent.delete(worker);
    else this.#silent.set(worker, this.#now());
  }
}

/** A busy worker fails the same way, but responds to the check. */
function isSilence(error: unknown): boolean {
  const refusal = postgresError(error);
  return refusal ? SILENCE_STATES.test(refusal.code) : isDatabaseUnavailable(error);
}

async function answers({ sql }: Database, worker: number): Promise<boolean> {
  return await sql.begin("read only", async (tx) => {
    await askFor(tx, { statement_timeout: LOOK_MS_MAX });
    const [row] = await tx<{ isUp: boolean }[]>`
      select citus_check_connection_to_node(nodename, nodeport) as "isUp" from pg_dist_node
      where groupid = ${worker} and noderole = 'primary'`;
    return row?.isUp ?? false;
  });
}

/** How long to cache a contract's worker, since shards can be moved. */
const BELIEVED_MS = 60_000;
const CONTRACTS_MAX = 10_000;

const knownOf = perDatabase((db) => ({
  silent: new SilentWorkers((worker) => answers(db, worker)),
  workers: new Map<string, { worker: number; until: number }>(),
}));

/** Returns what to call when the work is done. @throws DomainError `unavailable` */
export async function enterWorkerOf(db: Database, contractKey: string): Promise<Leave> {
  if (!(await isDistributed(db))) return () => undefined;
  return knownOf(db).silent.enter(await workerOf(db, contractKey));
}

/** Reads the coordinator's catalog, which works even while the worker is down. */
async function workerOf(db: Database, contractKey: string): Promise<number> {
  const { workers } = knownOf(db);
  const before = workers.get(contractKey);
  if (before && performance.now() < before.until) return before.worker;
  const [row] = await db.sql<{ worker: number }[]>`
    select groupid as worker from pg_dist_placement where shardid =
      get_shard_id_for_distribution_column('contracts'::regclass, ${addressToBytes(contractKey)}::bytea)`;
  if (workers.size >= CONTRACTS_MAX) workers.clear();
  workers.set(contractKey, { worker: row!.worker, until: performance.now() + BELIEVED_MS });
  return row!.worker;
}
