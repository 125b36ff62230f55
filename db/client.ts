import { Socket } from "node:net";
import { drizzle, type PostgresJsDatabase } from "drizzle-orm/postgres-js";
import postgres, { type Options, type PostgresType, type Sql, type TransactionSql } from "postgres";
import { type DatabaseAddress, readDatabaseUrl } from "./database-url";
import { type Errand, endingStatement } from "./errand";
import { ASK_TO_COMMIT, SESSION_SETTINGS } from "./session-settings";

/** Work in progress on a pool: single statements and whole transactions. */
export type PoolWork = { underWay: number };

/** What the driver calls when a query has a connection. @returns what it sends ahead, if anything */
export type First = (this: Executable) => { text: string; values: string[] } | null;

/** A query of the driver, or a fragment of one. `string` is its text once it has a connection. */
export interface Executable extends Promise<unknown> {
  handle(): Promise<unknown>;
  isTracked?: true;
  first?: First | undefined;
  string?: string;
}

/**
 * Wraps a client to count its work in progress, because the driver does not expose its queue. A statement
 * counts from when it is sent (fragments never are), a transaction from its `begin`. Work beyond the pool's
 * size is waiting.
 * @param current the pool to send to, which may be replaced
 * @param onError called with every error of a statement or transaction
 */
export function countWork(
  current: () => Sql,
  onError: (error: unknown) => void,
): { sql: Sql; work: PoolWork } {
  const work: PoolWork = { underWay: 0 };
  const end = () => {
    work.underWay--;
  };
  const track = (started: Promise<unknown>) => {
    work.underWay++;
    // Not by a query's own `then`, which sends it.
    Promise.prototype.then.call(started, end, (error: unknown) => {
      end();
      onError(error);
    });
  };
  // Not a closure for each query, because a statement has a dozen fragments: "submit 10 at 16".
  const handle = function handle(this: Executable): Promise<unknown> {
    if (!this.isTracked) track(this);
    this.isTracked = true;
    return Object.getPrototypeOf(this).handle.call(this);
  };
  const counted = <T>(made: T, first?: First): T => {
    if (!isExecutable(made)) return made;
    made.handle = handle;
    if (first) made.first = first;
    return made;
  };
  const proxy = new Proxy(current(), {
    apply: (_, self, given) => counted(Reflect.apply(current(), self, given)),
    get(_, name) {
      const value: unknown = Reflect.get(current(), name);
      if (name === "unsafe") return (...given: unknown[]) => counted(call(value, given));
      if (name !== "begin") return value;
      return async (...given: unknown[]) => {
        const transaction = call(value, given) as Promise<unknown>;
        track(transaction);
        // A promise of its own, so that an unhandled rejection is still reported.
        return await transaction;
      };
    },
  });
  makers.set(proxy, (first, given) => counted(call(current(), given), first));
  return { sql: proxy, work };
}

type Maker = (first: First, given: unknown[]) => unknown;
const makers = new WeakMap<Sql, Maker>();

/** What makes queries of a client that have something ahead. */
export const makerOf = (client: Sql): Maker =>
  makers.get(client) ??
  ((first, given) => {
    const made = call(client, given);
    if (isExecutable(made)) made.first = first;
    return made;
  });

export const call = (run: unknown, given: unknown[]) => (run as (...all: unknown[]) => unknown)(...given);

export const isExecutable = (made: unknown): made is Executable =>
  made instanceof Promise && "handle" in made;

/** For a network that is gone, where server timeouts cannot help. The driver removes listeners for TLS. */
class ImpatientSocket extends Socket {
  /** The driver reads the TLS host name from here. */
  host: string | undefined;
  port: number | undefined;
  /** First bytes that Postgres may send. The driver ignores any others, and would wait in vain. */
  expected: readonly string[] | null = null;

  override emit(event: string | symbol, ...rest: unknown[]): boolean {
    if (event === "timeout") this.destroy(silenceError(this.timeout ?? 0));
    if (event === "data" && this.expected) {
      const first = String.fromCharCode((rest[0] as Buffer)[0]!);
      const error = this.expected.includes(first) ? null : unexpected(first, this.expected);
      this.expected = null;
      if (error) {
        this.destroy(error);
        return true;
      }
    }
    return super.emit(event as string, ...rest);
  }
}

/** Authentication, an error, or an older protocol version. */
const PLAIN = ["R", "E", "v"] as const;
/** Yes, no, or an error of a server that does not know the question. */
const ANSWERS_TO_TLS = ["S", "N", "E"] as const;
const TLS_ONLY = ["S"] as const;

function unexpected(first: string, expected: readonly string[]): Error {
  return expected === TLS_ONLY && (ANSWERS_TO_TLS as readonly string[]).includes(first)
    ? Object.assign(new Error("The server does not support TLS."), { code: "ERR_TLS_REFUSED" })
    : Object.assign(new Error("The server is not Postgres."), { code: "ERR_NOT_POSTGRES" });
}

function silenceError(milliseconds: number): Error {
  const message = `The database did not respond for ${milliseconds / 1000} s.`;
  return Object.assign(new Error(message), { code: "ETIMEDOUT" });
}

/** Of the driver's parsed options. */
type Target = Pick<DatabaseAddress, "port" | "ssl" | "sslnegotiation"> & {
  host: string[];
  path?: string | false;
};

/** A socket for them, which is destroyed with `ETIMEDOUT` after a silence. */
function openSocket(target: Target, silenceSeconds: number): Socket {
  const socket = new ImpatientSocket();
  socket.setNoDelay(true);
  if (target.sslnegotiation !== "direct")
    socket.expected = !target.ssl ? PLAIN : target.ssl === "prefer" ? ANSWERS_TO_TLS : TLS_ONLY;
  socket.setTimeout(silenceSeconds * 1000);
  const { path } = target;
  // If connecting fails immediately, the error would come before the driver listens, and be lost.
  queueMicrotask(() => {
    if (path) return socket.connect(path);
    const [host = "localhost"] = target.host;
    const [port = 5432] = target.port;
    Object.assign(socket, { host, port });
    return socket.connect({ host, port });
  });
  return socket;
}

export type Ahead = { text: string; usualMs: number };

/**
 * Types that `sql` returns: dates and times as text, never `Date` (drizzle replaces the shared parsers, and a
 * `Date` loses microseconds); `numeric` and `int8` as strings; `int4` and `float8` as numbers; `json` parsed;
 * `bytea` as `Buffer`. As parameters, times are text, and the caller must `JSON.stringify` JSON.
 */
export interface Database {
  sql: Sql;
  /** What errands send ahead, and how long Postgres lets a statement run without it. */
  ahead: Ahead;
  /** Whose work runs on it, and the pool itself, which has no such bounds: `onErrand`. */
  errands?: readonly Errand[];
  base?: Database;
  /** The same pool with a query builder. */
  orm: PostgresJsDatabase;
  work: PoolWork;
  /** Replaces all connections, at most once a second. What runs on the old ones may finish. */
  renew(): void;
  /** Waits up to 5 seconds for running queries, then cuts them off. */
  close(): Promise<void>;
}

export interface DatabaseOptions {
  url: string;
  poolMax: number;
  timeoutSeconds: number;
  /** `transaction` for a transaction-mode pooler: no prepared statements, no startup parameters. */
  pooler: "none" | "transaction";
  /** Statement timeout, if longer than `timeoutSeconds`, for example for reports. */
  statementSecondsMax?: number;
}

// The server's timeout must fire before the socket's, because it keeps the connection and gives a reason.
const SILENCE_MARGIN_SECONDS = 0.5;
const RECONNECT_SECONDS = 0.1;
const CLOSE_SECONDS = 5;
const RENEW_MS = 1000;

/**
 * Driver options for one pool. Behind a pooler, which refuses startup parameters, timeouts and settings come
 * from `ALTER ROLE … SET`. @throws DatabaseUrlError
 */
export function connectionOptions(options: DatabaseOptions): Options<Record<string, PostgresType>> {
  const { poolMax, timeoutSeconds, statementSecondsMax = 0 } = options;
  const { isPooled, connection, ...address } = readDatabaseUrl(options.url);
  // Behind a transaction-mode pooler, no setting or prepared statement stays for the next transaction.
  const isDirect = options.pooler === "none" && !isPooled;
  const statementSeconds = Math.max(timeoutSeconds, statementSecondsMax);
  const silenceSeconds = statementSeconds + SILENCE_MARGIN_SECONDS;
  // In milliseconds. The lock timeout is the shorter one, so that the error shows which of the two it was.
  const timeouts = {
    statement_timeout: statementSeconds * 1000,
    lock_timeout: timeoutSeconds * 800,
    idle_in_transaction_session_timeout: timeoutSeconds * 1000,
  };
  const ours = {
    ...address,
    max: poolMax,
    prepare: isDirect,
    // A pipelined statement would wait for the one before it even if another connection is free. A pooler may
    // also reassign the server between the two, and the second would wait forever.
    max_pipeline: 0,
    connect_timeout: timeoutSeconds,
    // Closes idle connections before their silence would count as a failure.
    idle_timeout: statementSeconds,
    backoff: () => RECONNECT_SECONDS,
    onnotice: () => undefined,
    connection: { ...connection, ...(isDirect && { ...timeouts, ...SESSION_SETTINGS }) },
    ask: isDirect && ASK_TO_COMMIT,
    socket: (target: Target) => openSocket(target, silenceSeconds),
  };
  // The (patched) driver supports `ask`, `socket` and lists of hosts and ports, but its types do not.
  return ours as unknown as Options<Record<string, PostgresType>>;
}

/** Connects on first use, and recovers after the database was down. @throws DatabaseUrlError */
export function createDatabase(options: DatabaseOptions): Database {
  const given = connectionOptions(options);
  const statementSeconds = given.idle_timeout as number;
  let pool = postgres(given);
  let renewedAt = Number.NEGATIVE_INFINITY;
  let isClosed = false;
  const renew = () => {
    if (isClosed || performance.now() - renewedAt < RENEW_MS) return;
    renewedAt = performance.now();
    const old = pool;
    pool = postgres(given);
    // Sets the parsers of the new pool.
    drizzle(pool);
    void old.end({ timeout: statementSeconds });
  };
  const { sql, work } = countWork(
    () => pool,
    (error) => {
      if (isOfFormerPrimary(error)) renew();
    },
  );
  const close = () => {
    isClosed = true;
    return sql.end({ timeout: CLOSE_SECONDS });
  };
  // Behind a pooler the timeouts are the role's.
  const usualMs = given.prepare ? statementSeconds * 1000 : Number.POSITIVE_INFINITY;
  const ahead = { text: endingStatement(statementSeconds), usualMs };
  return { sql, orm: drizzle(sql), ahead, work, renew, close };
}

/** Read-only (25006), shutting down or starting (57P01 to 57P03): connections outlive a failover. */
function isOfFormerPrimary(error: unknown): boolean {
  for (let at = error; at instanceof Error; at = at.cause)
    if (/^(?:25006|57P0[123])$/.test(String((at as { code?: unknown }).code))) return true;
  return false;
}

/** A `Database` whose statements run in the given transaction. */
export function within(pool: Database, tx: TransactionSql): Database {
  // Drizzle reads `options` from its client, which a transaction does not have (as in migrations).
  const sql = Object.assign(tx, { options: pool.sql.options }) as unknown as Sql;
  return { ...pool, sql, orm: drizzle(sql) };
}
