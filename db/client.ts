import { drizzle, type PostgresJsDatabase } from "drizzle-orm/postgres-js";
import postgres, { type Options, type PostgresType, type Sql, type TransactionSql } from "postgres";
import { countWork, type PoolWork } from "./count-work";
import { readDatabaseUrl } from "./database-url";
import { openSocket } from "./socket";

/**
 * Types that `sql` returns: dates and times as text, never `Date` (drizzle replaces the shared parsers, and a `Date` loses
 * microseconds); `numeric` and `int8` as strings; `int4` and `float8` as numbers; `json` parsed; `bytea` as `Buffer`.
 * As parameters, times are text, and the caller must `JSON.stringify` JSON.
 */
export interface Database {
  sql: Sql;
  /** The same pool with a query builder. */
  orm: PostgresJsDatabase;
  /** Work in progress on the pool. */
  work: PoolWork;
  /** Replaces all connections, at most once a second. What runs on the old ones may finish. */
  renew(): void;
  /** Waits up to 5 seconds for running queries, then cuts them off. */
  close(): Promise<void>;
}

export interface DatabaseOptions {
  url: string;
  /** Max connections. */
  poolMax: number;
  /** Timeout for a connection, for a reply, and for a transaction's next statement. */
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
 * Driver options for one pool. Behind a pooler, server timeouts come from `ALTER ROLE … SET`.
 * @throws DatabaseUrlError
 */
export function connectionOptions(options: DatabaseOptions): Options<Record<string, PostgresType>> {
  const { poolMax, timeoutSeconds } = options;
  const { isPooled, connection, ...address } = readDatabaseUrl(options.url);
  const isDirect = options.pooler === "none" && !isPooled;
  const statementSeconds = Math.max(timeoutSeconds, options.statementSecondsMax ?? 0);
  const silenceSeconds = statementSeconds + SILENCE_MARGIN_SECONDS;
  const ours = {
    ...address,
    max: poolMax,
    prepare: isDirect,
    // A pipelined statement would wait for the one before it even if another connection is free. A pooler may also reassign
    // the server between the two, and the second would wait forever.
    max_pipeline: 0,
    connect_timeout: timeoutSeconds,
    // Closes idle connections before their silence would count as a failure.
    idle_timeout: statementSeconds,
    backoff: () => RECONNECT_SECONDS,
    onnotice: () => undefined,
    connection: {
      ...connection,
      ...(isDirect && { ...serverTimeouts(timeoutSeconds, statementSeconds), TimeZone: "UTC" }),
    },
    socket: (target: Parameters<typeof openSocket>[0]) => openSocket(target, silenceSeconds),
  };
  // The driver supports `socket` and lists of hosts and ports, but its types do not.
  return ours as unknown as Options<Record<string, PostgresType>>;
}

/** Milliseconds. The lock timeout is shorter than the statement timeout, so that the error shows which one it was. */
function serverTimeouts(timeoutSeconds: number, statementSeconds: number) {
  return {
    statement_timeout: statementSeconds * 1000,
    lock_timeout: timeoutSeconds * 800,
    idle_in_transaction_session_timeout: timeoutSeconds * 1000,
  };
}

/**
 * Creates a pool that connects on first use and recovers by itself after the database was down.
 * @throws DatabaseUrlError
 */
export function createDatabase(options: DatabaseOptions): Database {
  const given = connectionOptions(options);
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
    void old.end({ timeout: given.idle_timeout as number });
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
  return { sql, orm: drizzle(sql), work, renew, close };
}

/**
 * The server is read-only (25006), or shuts down or starts (57P01 to 57P03). After a failover the same address leads to the
 * new primary, but open connections stay with the old one.
 */
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
