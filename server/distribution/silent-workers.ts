import type { Database } from "@/db/client";
import { databaseIsAway, sqlFault } from "../kernel/database-faults";
import { isDistributed } from "../kernel/shards/routing";
import { addressToBytes } from "../kernel/values/addresses";
import { DomainError } from "../kernel/values/problems";

/** A refused connection fails at once; what fails after this long has kept a connection of the pool all the while. */
const WAITED_MS = 2500;
const LOOK_AGAIN_MS = 1000;
const LOOK_MS_MAX = 3000;
const RETRY_AFTER_SECONDS = 2;
/** No connection, and a statement that took too long. */
const SILENCE_STATES = /^(?:08...|57014)$/;

/** Called when the work for a worker is over, with what it failed by. */
type Leave = (error?: unknown) => void;

/**
 * Workers that do not answer, such as a machine that lost its network. Every request for one would keep a connection until its
 * time is over, and a few keep all of them. So when one has waited in vain the worker itself is asked, and until it answers its
 * requests are refused at once.
 */
export class SilentWorkers {
  /** When each was last asked. */
  readonly #silent = new Map<number, number>();
  readonly #looking = new Set<number>();
  readonly #answers: (worker: number) => Promise<boolean>;
  readonly #now: () => number;

  /** @param answers whether a worker answers now */
  constructor(answers: (worker: number) => Promise<boolean>, now = () => performance.now()) {
    this.#answers = answers;
    this.#now = now;
  }

  /** @throws DomainError `unavailable` with `Retry-After` */
  enter(worker: number): Leave {
    const lookedAt = this.#silent.get(worker);
    if (lookedAt !== undefined) {
      if (this.#now() - lookedAt >= LOOK_AGAIN_MS) void this.#look(worker);
      throw new DomainError("unavailable", "A part of the database does not answer; nothing was stored.", {
        headers: { "Retry-After": String(RETRY_AFTER_SECONDS) },
      });
    }
    const enteredAt = this.#now();
    return (error) => {
      if (this.#now() - enteredAt >= WAITED_MS && isSilence(error)) void this.#look(worker);
    };
  }

  async #look(worker: number): Promise<void> {
    if (this.#looking.has(worker)) return;
    this.#looking.add(worker);
    this.#silent.set(worker, this.#now());
    const isUp = await this.#answers(worker).catch(() => false);
    this.#looking.delete(worker);
    if (isUp) this.#silent.delete(worker);
    else this.#silent.set(worker, this.#now());
  }
}

/** A busy worker fails like this too: it answers when it is asked. */
function isSilence(error: unknown): boolean {
  const fault = sqlFault(error);
  return fault ? SILENCE_STATES.test(fault.code) : databaseIsAway(error);
}

async function answers({ sql }: Database, worker: number): Promise<boolean> {
  return await sql.begin("read only", async (tx) => {
    await tx`select set_config('statement_timeout', ${String(LOOK_MS_MAX)}, true)`;
    const [row] = await tx<{ isUp: boolean }[]>`
      select citus_check_connection_to_node(nodename, nodeport) as "isUp" from pg_dist_node
      where groupid = ${worker} and noderole = 'primary'`;
    return row?.isUp ?? false;
  });
}

/** How long a contract's worker is believed to be the same: shards may be moved. */
const BELIEVED_MS = 60_000;
const CONTRACTS_MAX = 10_000;

interface Known {
  silent: SilentWorkers;
  workers: Map<string, { worker: number; until: number }>;
}

const knownOf = new WeakMap<object, Known>();

/**
 * Says that work for a contract begins; call what it gives when that is over. Does nothing on one Postgres.
 * @param contractKey its address, lower case
 * @throws DomainError `unavailable` while the contract's worker does not answer
 */
export async function enterWorkerOf(db: Database, contractKey: string): Promise<Leave> {
  if (!(await isDistributed(db))) return () => undefined;
  let known = knownOf.get(db.sql);
  if (!known) {
    known = { silent: new SilentWorkers((worker) => answers(db, worker)), workers: new Map() };
    knownOf.set(db.sql, known);
  }
  return known.silent.enter(await workerOf(db, known.workers, contractKey));
}

/** From the coordinator's catalog, which answers also while the worker does not. */
async function workerOf({ sql }: Database, workers: Known["workers"], contractKey: string): Promise<number> {
  const before = workers.get(contractKey);
  if (before && performance.now() < before.until) return before.worker;
  const [row] = await sql<{ worker: number }[]>`
    select groupid as worker from pg_dist_placement where shardid =
      get_shard_id_for_distribution_column('contracts'::regclass, ${addressToBytes(contractKey)}::bytea)`;
  if (workers.size >= CONTRACTS_MAX) workers.clear();
  workers.set(contractKey, { worker: row!.worker, until: performance.now() + BELIEVED_MS });
  return row!.worker;
}
