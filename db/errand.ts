import { drizzle } from "drizzle-orm/postgres-js";
import type { Sql } from "postgres";
import { call, type Database, isExecutable } from "./client";

/** A statement was not sent, because its caller waits no longer. */
export class TooLateError extends Error {
  override name = "TooLateError";
}

/** A time by the database's clock, and when it was that by `performance.now()`, or a little later. */
export type ClockReading = { databaseMs: number; atMs: number };

export async function readDatabaseClock({ sql }: Pick<Database, "sql">): Promise<ClockReading> {
  // Whole milliseconds, because a pooler's sessions may write only a few digits of others.
  const [row] = await sql<[{ ms: string }]>`
    select floor(extract(epoch from clock_timestamp()) * 1000)::bigint as ms`;
  return { databaseMs: Number(row.ms), atMs: performance.now() };
}

/** Work for a caller who waits for a limited time. None of it may take effect after that. */
export class Errand {
  /** How long the caller still waits. */
  readonly leftMs: () => number;
  /** Must be set before its first statement. */
  clock: ClockReading | undefined;
  #isOver = false;
  /** Text of statements that took effect, or whose connection was lost. */
  #done: string[] = [];
  /** How many of its statements and transactions have a connection and no result yet. */
  underWay = 0;

  constructor(leftMs: () => number) {
    this.leftMs = leftMs;
  }

  /** @throws TooLateError */
  requireWanted(): void {
    if (this.#isOver || this.leftMs() <= 0) throw new TooLateError();
  }

  end(): void {
    this.#isOver = true;
  }

  note(statement: string): void {
    this.#done.push(statement);
  }

  /** All its statements so far had their results, and these say that nothing was stored. */
  storedNothing(): void {
    this.#done = [];
  }

  /** Whether any of it is stored, or may be. */
  mayBeStored(): boolean {
    return this.#done.some((text) => WRITES.test(text));
  }

  /** When the caller's wait ends: milliseconds by the database's clock. Never too late. */
  endsAt(): number {
    const { databaseMs, atMs } = this.clock!;
    return databaseMs + performance.now() - atMs + this.leftMs();
  }
}

const WRITES = /\b(?:insert into|delete from|(?<!for |key )update) /i;

/**
 * Sent ahead of each statement of an errand, in the same message and implicit transaction. If the network holds
 * the message back until after `$1`, this fails, since the setting has no such value, and the statement does not
 * begin. Otherwise Postgres cancels it at `$1`, also while it waits for a lock.
 */
const endAt = (statementSeconds: number) => `select 1 where case
  when clock_timestamp() + interval '${statementSeconds} s' < $1::timestamptz then false
  when clock_timestamp() < $1 then set_config('statement_timeout', greatest(1, ceil(1000 * least(
    extract(epoch from $1 - clock_timestamp()),
    extract(epoch from nullif(current_setting('statement_timeout'), '0')::interval))))::text, true) is null
  else set_config('statement_timeout', '-1', true) is null end`;

/** Whether Postgres received a statement after its end. No language translates the setting's name. */
export const arrivedLate = (error: Error): boolean =>
  "code" in error && error.code === "22023" && error.message.includes("statement_timeout");

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
  const sql = bounded(base.sql, { errands, text: endAt(base.statementSeconds), note });
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

function bounded<Client extends Sql>(client: Client, bounds: Bounds): Client {
  const marked = <T>(made: T): T => {
    if (isExecutable(made)) mark(made, bounds);
    return made;
  };
  return new Proxy(client, {
    apply: (target, self, given) => marked(Reflect.apply(target, self, given)),
    get(target, name) {
      const value: unknown = Reflect.get(target, name);
      if (name === "unsafe") return (...given: unknown[]) => marked(call(value, given));
      if (name === "begin") return (...given: unknown[]) => begin(value, given, bounds);
      return value;
    },
  });
}

/** What the driver calls when the query has a connection, and sends ahead. `string` is its text then. */
type Query = Promise<unknown> & { string?: string; first?(): { text: string; values: string[] } };

function mark(query: Query, { errands, text, note }: Bounds): void {
  let isSent = false;
  const end = (isStored: boolean) => {
    count(errands, -1);
    if (isStored) note(query.string ?? "");
  };
  query.first = () => {
    for (const errand of errands) errand.requireWanted();
    // A statement that a lost connection has not carried comes here again.
    if (!isSent) {
      isSent = true;
      count(errands, 1);
      // Not by a query's own `then`, which sends it.
      Promise.prototype.then.call(
        query,
        () => end(true),
        (error: unknown) => end(isUnknown(error)),
      );
    }
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
 * Whether a statement that failed may have taken effect: not after an error of Postgres or of our own. On Citus,
 * a worker may be lost during the commit.
 */
function isUnknown(error: unknown): boolean {
  if (!(error instanceof Error && "code" in error) || error.name === "DomainError") return false;
  return error.name !== "PostgresError" || /^(?:08|XX)/.test(String(error.code));
}
