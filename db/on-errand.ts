import { drizzle } from "drizzle-orm/postgres-js";
import type { Sql } from "postgres";
import { call, type Database, isExecutable } from "./client";
import type { Errand } from "./errand";

/** The pool that an errand's `Database` was made from. */
export const baseOf = <Db extends Pick<Database, "base">>(db: Db): Database | Db => db.base ?? db;

/**
 * The same pool for an errand, or for several that share a statement. No statement begins when one of the
 * callers waits no longer, and Postgres ends what is running then.
 */
export function onErrand(db: Database, errands: readonly Errand[]): Database {
  if (errands.length === 0) return db;
  const base = baseOf(db);
  const note = (statement: string) => {
    for (const errand of errands) errand.note(statement);
  };
  const sql = bounded(base.sql, { errands, text: base.ahead, note });
  return {
    ...base,
    base,
    errands,
    sql,
    get orm() {
      return drizzle(sql);
    },
  };
}

interface Bounds {
  errands: readonly Errand[];
  /** Of the statement that is sent ahead. */
  text: string;
  note(statement: string): void;
}

/** What the driver calls when the query has a connection, and sends ahead. `string` is its text then. */
type Query = Promise<unknown> & { string?: string; first?: First };
type First = (this: Query) => { text: string; values: string[] };

/** No proxy, because a statement has a dozen fragments, and each would cost a microsecond. */
function bounded<Client extends Sql>(client: Client, bounds: Bounds): Client {
  const first = firstOf(bounds);
  const marked = (made: unknown) => {
    if (isExecutable(made)) (made as Query).first = first;
    return made;
  };
  const own = (...given: unknown[]) => marked(call(client, given));
  own.unsafe = (...given: unknown[]) => marked(call(client.unsafe, given));
  own.begin = (...given: unknown[]) => begin(client.begin, given, bounds);
  return Object.setPrototypeOf(own, client) as Client;
}

function firstOf({ errands, text, note }: Bounds): First {
  const sent = new WeakSet<Promise<unknown>>();
  const follow = (query: Query) => {
    const end = (isStored: boolean) => {
      count(errands, -1);
      if (isStored) note(query.string ?? "");
    };
    sent.add(query);
    count(errands, 1);
    // Not by a query's own `then`, which sends it.
    Promise.prototype.then.call(
      query,
      () => end(true),
      (error: unknown) => end(isUnknown(error)),
    );
  };
  return function first() {
    for (const errand of errands) errand.requireWanted();
    // A statement that a lost connection has not carried comes here again.
    if (!sent.has(this)) follow(this);
    const endsAt = Math.min(...errands.map((errand) => errand.endsAt()));
    return { text, values: [new Date(endsAt).toISOString()] };
  };
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
