import { drizzle } from "drizzle-orm/postgres-js";
import type { Sql } from "postgres";
import { call, type Database, type Executable, type First, isExecutable, makerOf } from "./client";
import { type Errand, endOf } from "./errand";

/** The pool that an errand's `Database` was made from. */
export const baseOf = <Db extends Pick<Database, "base">>(db: Db): Database | Db => db.base ?? db;

/**
 * The same pool for an errand, or for several that share a statement. No statement begins when one of the
 * callers waits no longer, and Postgres ends what is running then.
 */
export function onErrand(db: Database, errands: readonly Errand[]): Database {
  return errands.length === 0 ? db : new BoundDatabase(baseOf(db), errands);
}

class BoundDatabase implements Database {
  readonly ahead: string;
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
      text: this.ahead,
      note: (statement) => {
        for (const errand of this.errands) errand.note(statement);
      },
    });
    return this.#sql;
  }

  get orm() {
    return drizzle(this.sql);
  }
}

/**
 * Sends one statement for several errands, without anything ahead: it must itself fail after `endOf` them.
 * @returns the same statement
 */
export function shared<Query extends Promise<unknown>>(query: Query, errands: readonly Errand[]): Query {
  const note = (statement: string) => {
    for (const errand of errands) errand.note(statement);
  };
  if (errands.length > 0 && isExecutable(query)) query.first = firstOf({ errands, note });
  return query;
}

interface Bounds {
  errands: readonly Errand[];
  /** Of the statement that is sent ahead. */
  text?: string;
  note(statement: string): void;
}

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

function firstOf({ errands, text, note }: Bounds): First {
  const followed = new Set<Executable>();
  return function first() {
    for (const errand of errands) errand.requireWanted();
    // A statement that a lost connection has not carried comes here again.
    if (!followed.has(this)) follow(this, errands, note);
    followed.add(this);
    return text === undefined ? null : { text, values: [endOf(errands)] };
  };
}

function follow(query: Executable, errands: readonly Errand[], note: (statement: string) => void): void {
  const end = (isStored: boolean) => {
    count(errands, -1);
    if (isStored) note(query.string ?? "");
  };
  count(errands, 1);
  // Not by a query's own `then`, which sends it.
  Promise.prototype.then.call(
    query,
    () => end(true),
    (error: unknown) => end(isUnknown(error)),
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
    done.forEach(note);
    return result;
  } catch (error) {
    if (isUnknown(error)) done.forEach(note);
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
  return !isTakenBack || /^(?:08|XX|40003)/.test(String(error.code));
}
