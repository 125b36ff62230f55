import type { Sql } from "postgres";

/** A statement was not sent, because its caller waits no longer. */
export class TooLateError extends Error {
  override name = "TooLateError";
}

/** A time by the database's clock, and when it was that by `performance.now()`, or a little later. */
export type ClockReading = { databaseMs: number; atMs: number };

export async function readDatabaseClock({ sql }: { sql: Sql }): Promise<ClockReading> {
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
  /** Text of statements that took effect, and of those whose connection was lost. */
  #done: string[] = [];
  #lost: string[] = [];
  /** How many of its statements and transactions have a connection and no result yet. */
  underWay = 0;

  readonly #requireWanted: () => void;

  /** @param requireWanted asked before each statement; may throw */
  constructor(leftMs: () => number, requireWanted = () => {}) {
    this.leftMs = leftMs;
    this.#requireWanted = requireWanted;
  }

  /** @throws TooLateError */
  requireWanted(): void {
    this.#requireWanted();
    if (this.#isOver || this.leftMs() <= 0) throw new TooLateError();
  }

  end(): void {
    this.#isOver = true;
  }

  note(statement: string, isLost = false): void {
    (isLost ? this.#lost : this.#done).push(statement);
  }

  /** The results of its statements so far say that nothing was stored. That of a lost one is not known. */
  storedNothing(): void {
    this.#done = [];
  }

  /** Whether any of it is stored, or may be. */
  mayBeStored(): boolean {
    return [...this.#done, ...this.#lost].some((text) => WRITES.test(text));
  }

  /** When the caller's wait ends: milliseconds by the database's clock. Never too late. */
  endsAt(): number {
    const { databaseMs, atMs } = this.clock!;
    return databaseMs + performance.now() - atMs + this.leftMs();
  }
}

/** When the first of their callers waits no longer: a time of the database's clock. */
export function endOf(errands: readonly Errand[]): string {
  let endsAt = Number.POSITIVE_INFINITY;
  for (const errand of errands) endsAt = Math.min(endsAt, errand.endsAt());
  return endsAt === Number.POSITIVE_INFINITY ? "infinity" : new Date(endsAt).toISOString();
}

const WRITES = /\b(?:insert into|delete from|(?<!for |key )update) /i;

/** An expression that fails with `arrivedLate`, and so undoes its statement. */
export const FAIL_LATE = "set_config('statement_timeout', '-1', true)";

/**
 * Sent ahead of each statement of an errand, in the same message and implicit transaction. If the network
 * holds the message back until after `$1`, this fails, since the setting has no such value, and the statement
 * does not begin. Otherwise Postgres cancels it at `$1`, also while it waits for a lock.
 */
export const endingStatement = (statementSeconds: number) => `select 1 where case
  when clock_timestamp() + interval '${statementSeconds} s' < $1::timestamptz then false
  when clock_timestamp() < $1 then set_config('statement_timeout', greatest(1, ceil(1000 * least(
    extract(epoch from $1 - clock_timestamp()),
    extract(epoch from nullif(current_setting('statement_timeout'), '0')::interval))))::text, true) is null
  else ${FAIL_LATE} is null end`;

/** Whether a statement was not sent, or has failed, because it was after its end. */
export const isTooLate = (error: Error): boolean => error instanceof TooLateError || arrivedLate(error);

/** No language translates the setting's name. */
export const arrivedLate = (error: Error): boolean =>
  "code" in error && error.code === "22023" && error.message.includes("statement_timeout");

/** Messages of Citus and libpq about a worker that could not be reached. The statement then did nothing. */
export const WORKER_NOT_REACHED =
  /could not establish any connections to|connection establishment for node|Connection refused/;
