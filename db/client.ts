import { drizzle, type PostgresJsDatabase } from "drizzle-orm/postgres-js";
import postgres, { type Options, type PostgresType, type Sql, type TransactionSql } from "postgres";
import { countWork, type PoolWork } from "./count-work";
import { openSocket } from "./socket";

/**
 * What comes back through `sql`: dates and times as the database's text and never as `Date` (drizzle replaces the
 * shared parsers; a `Date` loses microseconds), `numeric` and `int8` as strings, `int4` and `float8` as numbers,
 * `json` parsed, `bytea` as `Buffer`. Going in, times are text and JSON is `JSON.stringify`d by the caller.
 */
export interface Database {
  sql: Sql;
  /** The same pool, with query builder. */
  orm: PostgresJsDatabase;
  /** What is under way on the pool now. */
  work: PoolWork;
  /** Lets running queries end for 5 seconds, then cuts them off. */
  close(): Promise<void>;
}

export interface DatabaseOptions {
  /** One host: the driver would retry a list of hosts for ever. */
  url: string;
  /** Most connections. */
  poolMax: number;
  /** Longest wait for a connection, for an answer, and of a transaction for its next statement. */
  timeoutSeconds: number;
  /** `transaction` behind a transaction-mode pooler: nothing prepared, no start-up parameters. */
  pooler: "none" | "transaction";
  /** Longest a statement may run when that is more than `timeoutSeconds`, as in reports. */
  statementSecondsMax?: number;
}

// The server's own timeout must win over the socket's: it keeps the connection and names its reason.
const SILENCE_MARGIN_SECONDS = 0.5;
const RECONNECT_SECONDS = 0.1;
const CLOSE_SECONDS = 5;

/** The driver's options for one pool. Behind a pooler the server's timeouts come from `ALTER ROLE … SET`. */
export function connectionOptions(options: DatabaseOptions): Options<Record<string, PostgresType>> {
  const { poolMax, timeoutSeconds, pooler } = options;
  const statementSeconds = Math.max(timeoutSeconds, options.statementSecondsMax ?? 0);
  const silenceSeconds = statementSeconds + SILENCE_MARGIN_SECONDS;
  const ours = {
    max: poolMax,
    prepare: pooler === "none",
    // A statement behind another one on its connection would wait for it however long it takes, while others come free;
    // and between the two a pooler gives the server away, so that the second would wait for ever.
    max_pipeline: 0,
    connect_timeout: timeoutSeconds,
    // Connections without work are closed before their silence would count as a fault.
    idle_timeout: statementSeconds,
    backoff: () => RECONNECT_SECONDS,
    onnotice: () => undefined,
    connection:
      pooler === "none" ? { ...serverTimeouts(timeoutSeconds, statementSeconds), TimeZone: "UTC" } : {},
    // The driver takes `socket`, its types do not know it.
    socket: (target: Parameters<typeof openSocket>[0]) => openSocket(target, silenceSeconds),
  };
  return ours;
}

/** Milliseconds. A lock wait ends before the statement does, so that the error tells which it was. */
function serverTimeouts(timeoutSeconds: number, statementSeconds: number) {
  return {
    statement_timeout: statementSeconds * 1000,
    lock_timeout: timeoutSeconds * 800,
    idle_in_transaction_session_timeout: timeoutSeconds * 1000,
  };
}

/**
 * A pool, which connects when it is first used and heals by itself after the database was away.
 * @throws Error when the url names several hosts.
 */
export function createDatabase(options: DatabaseOptions): Database {
  const pool = postgres(options.url, connectionOptions(options));
  if (pool.options.host.length > 1) throw new Error("DATABASE_URL must name one host.");
  const { sql, work } = countWork(pool);
  return { sql, orm: drizzle(sql), work, close: () => sql.end({ timeout: CLOSE_SECONDS }) };
}

/** The pool as seen from one of its transactions: what runs on it runs in the transaction. */
export function within(pool: Database, tx: TransactionSql): Database {
  // As in migrations: drizzle asks its client for `options`, which a transaction lacks.
  const sql = Object.assign(tx, { options: pool.sql.options }) as unknown as Sql;
  return { ...pool, sql, orm: drizzle(sql) };
}
