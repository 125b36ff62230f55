import { drizzle } from "drizzle-orm/postgres-js";
import type { Sql } from "postgres";
import {
  type Ahead,
  call,
  type Database,
  type Executable,
  type First,
  isExecutable,
  makerOf,
} from "./client";
import { type Errand, endOf, WORKER_NOT_REACHED } from "./errand";

/** The pool that an errand's `Database` was made from. */
export const baseOf = <Db extends Pick<Database, "base">>(db: Db): Database | Db => db.base ?? db;

/**
 * The same pool for an errand, or for several that share a statement. No statement begins when one of the
 * callers waits no longer, and Postgres ends what is running then.
 */
export function onErrand(db: Database, errands: readonly Errand[]): Database {
  return errands.length === 0 ? db : new BoundDatabase(baseOf(db), errands);
}

/** Not an object with getters, which takes 6 µs to make: "submit 10 at 16" in docs/benchmarks.md. */
class BoundDatabase implements Database {
  readonly ahead: Ahead;
  readonly work: Database["work"];
  readonly renew: () => void;
  readonly close: () => Promise<void>;
  #sql: Sql | undefined;

  constructor(
    readonly base: Database,
    readonly errands: readonly Errand[],
  ) {
    this.ahead = base.ahead;
    this.work = base.work;
    this.renew = base.renew;
    this.close = base.close;
  }

  /** Made when it is used: a submit that is stored with others uses none of its own. */
  get sql(): Sql {
    this.#sql ??= bounded(this.base.sql, {
      errands: this.errands,
      ahead: this.ahead,
      aheadBelowMs: Number.POSITIVE_INFINITY,
      note: noteFor(this.errands),
    });
    return this.#sql;
  }

  get orm() {
    return drizzle(this.sql);
  }
}

/**
 * A statement of errands that fails by itself after `endOf` them. Something is sent ahead of it only if
 * Postgres would otherwise let it run, or wait for a lock, for longer than its callers wait.
 * @returns the same statement
 */
export function endingItself<Query extends Promise<unknown>>(
  query: Query,
  errands: readonly Errand[],
  { ahead }: Pick<Database, "ahead">,
): Query {
  if (errands.length > 0 && isExecutable(query)) {
    query.first = firstOf({ errands, ahead, aheadBelowMs: ahead.usualMs, note: noteFor(errands) });
  }
  return query;
}

interface Bounds {
  errands: readonly Errand[];
  ahead: Ahead;
  /** Nothing is sent ahead of a statement that has this much time. */
  aheadBelowMs: number;
  note(statement: string, isLost: boolean): void;
}

const noteFor = (errands: readonly Errand[]) => (statement: string, isLost: boolean) => {
  for (const errand of errands) errand.note(statement, isLost);
};

/**
 * What our code and drizzle use of a client. Not a proxy, nor an object whose prototype is the client: each
 * fragment of a statement would cost a microsecond ("submit 10 at 16" in docs/benchmarks.md).
 */
function bounded<Client extends Sql>(client: Client, bounds: Bounds): Client {
  const first = firstOf(bounds);
  const make = makerOf(client);
  const own = (...given: unknown[]) => make(first, given);
  own.unsafe = (...given: unknown[]) => {
    const made = call(client.unsafe, given);
    if (isExecutable(made)) made.first = first;
    return made;
  };
  own.begin = (...given: unknown[]) => begin(client.begin, given, bounds);
  own.options = client.options;
  return own as unknown as Client;
}

function firstOf({ errands, ahead, aheadBelowMs, note }: Bounds): First {
  const followed = new Set<Executable>();
  return function first() {
    let leftMs = Number.POSITIVE_INFINITY;
    for (const errand of errands) {
      errand.requireWanted();
      leftMs = Math.min(leftMs, errand.leftMs());
    }
    // A statement that a lost connection has not carried comes here again.
    if (!followed.has(this)) follow(this, errands, note);
    followed.add(this);
    return leftMs < aheadBelowMs ? { text: ahead.text, values: [endOf(errands)] } : null;
  };
}

function follow(query: Executable, errands: readonly Errand[], note: Bounds["note"]): void {
  const end = (isStored: boolean, isLost: boolean) => {
    count(errands, -1);
    // The driver keeps queries for a while, and a collector would copy all that the callers hold.
    query.first = undefined;
    if (isStored || isLost) note(query.string ?? "", isLost);
  };
  count(errands, 1);
  // Not by a query's own `then`, which sends it.
  Promise.prototype.then.call(
    query,
    () => end(true, false),
    (error: unknown) => end(false, isUnknown(error)),
  );
}

async function begin(beginOfClient: unknown, given: unknown[], bounds: Bounds): Promise<unknown> {
  const { errands, note } = bounds;
  const done: string[] = [];
  const work = given.pop() as (tx: Sql) => unknown;
  const requireWanted = () => {
    for (const errand of errands) errand.requireWanted();
  };
  let isUnderWay = false;
  try {
    const result = await call(beginOfClient, [
      ...given,
      async (tx: Sql) => {
        requireWanted();
        isUnderWay = true;
        count(errands, 1);
        const result = await work(bounded(tx, { ...bounds, note: (statement) => done.push(statement) }));
        requireWanted();
        return result;
      },
    ]);
    for (const statement of done) note(statement, false);
    return result;
  } catch (error) {
    if (isUnknown(error)) for (const statement of done) note(statement, true);
    throw error;
  } finally {
    if (isUnderWay) count(errands, -1);
  }
}

function count(errands: readonly Errand[], by: 1 | -1): void {
  for (const errand of errands) errand.underWay += by;
}

/**
 * Whether a statement that failed may have taken effect. Not after an error of our own, or one of Postgres
 * that leaves the session open; but on Citus a worker may be lost during the commit.
 */
function isUnknown(error: unknown): boolean {
  if (!(error instanceof Error && "code" in error) || error.name === "DomainError") return false;
  const isTakenBack = error.name === "PostgresError" && "severity" in error && error.severity === "ERROR";
  if (!isTakenBack) return true;
  return /^(?:08|XX|40003)/.test(String(error.code)) && !WORKER_NOT_REACHED.test(error.message);
}
