import { WORKER_NOT_REACHED } from "@/db/errand";

const DEPTH_MAX = 4;

type Field = "code" | "constraint_name" | "detail" | "routine" | "severity" | "syscall" | "where";
/** With the fields that Postgres, the driver and Node add to an error. */
type Cause = Error & Partial<Record<Field, string>>;

/** An error and what caused it. */
export function causesOf(error: unknown): Cause[] {
  const causes: Cause[] = [];
  for (let at = error; at instanceof Error && causes.length < DEPTH_MAX; at = at.cause) causes.push(at);
  return causes;
}

/** What Postgres said. Drizzle wraps it in an error whose message is the statement with its parameters. */
export const withoutStatement = (error: unknown): unknown =>
  error instanceof Error && error.message.startsWith("Failed query") ? (error.cause ?? error) : error;

/**
 * The SQLSTATE of a driver's error, also inside Drizzle's wrapper, and its constraint; undefined if it does
 * not come from Postgres. `worker` is the Citus node, `host:port`, that caused the error or did not answer.
 */
export function postgresError(error: unknown) {
  for (const at of causesOf(error)) {
    const { code, constraint_name, name, where } = at;
    if (name === "PostgresError" && typeof code === "string") {
      const constraint = constraint_name ?? (RULE_BROKEN.test(code) ? lastQuoted(at.message) : undefined);
      return { code, constraint: constraint?.replace(SHARD_BEHIND, ""), worker: workerIn(at.message, where) };
    }
  }
  return undefined;
}

/** Citus forwards a worker's error without the constraint's name, which comes last in these messages. */
const RULE_BROKEN = /^23(?:503|505|514|P01)$/;
/** Keys of a shard, and all constraints of a managed table, end with the shard's number. */
const SHARD_BEHIND = /_\d{6,}$/;

/** Servers use the quotation marks of their language. */
const lastQuoted = (message: string): string | undefined =>
  [...message.matchAll(/["“”„«»]\s*(\w+)\s*["“”„«»]/g)].at(-1)?.[1];

// Citus never translates this text. Nothing else is taken from a message, since it may quote user input.
const AT_WORKER = /while executing command on (\S+:\d+)/;
const ABOUT_WORKER =
  /(?:remote node (?:\S+@)?|(?:for|the) node |on host |marked as essential: |cannot connect to )(\S+:\d+)/;

const workerIn = (message: string, where = "") => (AT_WORKER.exec(where) ?? ABOUT_WORKER.exec(message))?.[1];

/** Codes of a failed connection, with the reason in a few words that continue a sentence. */
const CONNECTION_REASONS = new Map([
  ["ECONNREFUSED", "the connection was refused"],
  ["ECONNRESET", "the connection was cut"],
  ["EPIPE", "the connection was cut"],
  ["CONNECTION_CLOSED", "the connection was closed"],
  ["CONNECTION_ENDED", "the connection was closed"],
  ["ANSWER_OUT_OF_STEP", "an answer was not the one to its statement"],
  ["CONNECTION_DESTROYED", "the connection was closed"],
  ["CONNECT_TIMEOUT", "there was no answer in time"],
  ["CONNECTION_CONNECT_TIMEOUT", "there was no answer in time"],
  ["ETIMEDOUT", "there was no answer in time"],
  ["ENOTFOUND", "its host name is unknown"],
  ["EAI_AGAIN", "its host name cannot be resolved now"],
  ["EHOSTUNREACH", "there is no route to its host"],
  ["ENETUNREACH", "there is no route to its host"],
]);
/** From `db/client.ts`. */
const NOT_POSTGRES = "ERR_NOT_POSTGRES";
/** The certificate is not accepted, or one side does not want TLS. */
const TLS_CODES = /^(?:ERR_TLS|ERR_SSL|CERT_|DEPTH_ZERO_|SELF_SIGNED_|UNABLE_TO_(?:GET_ISSUER|VERIFY_LEAF))/;
/** Classes 08 (connection), 53 (resources), 57 (intervention), 58 (system), and states for timeouts. */
const AWAY_STATES = /^(?:08|53|57|58|40001$|40003$|40P01$|55P03$|25P03$|25006$)/;

const QUERY_CANCELED = "57014";

export const isStatementTimeout = (error: unknown): boolean => postgresError(error)?.code === QUERY_CANCELED;

/** A timeout, a lock timeout, a deadlock, or a change of the same row: other statements may succeed. */
const ONE_STATEMENT = /^(?:57014|55P03|40P01|40001)$/;

/** Whether Postgres ended one statement, and is there for others. */
export const isStatementEnded = (error: unknown): boolean =>
  ONE_STATEMENT.test(postgresError(error)?.code ?? "");

const READ_ONLY = "25006";

/** Postgres lacks a feature. Its routine says which. */
const NOT_SUPPORTED = "0A000";
/** `set transaction read write` on a standby. */
const WRITES_ON_STANDBY = "call_bool_check_hook";

export const isReadOnly = (error: unknown): boolean =>
  causesOf(error).some(
    ({ code, routine }) => code === READ_ONLY || (code === NOT_SUPPORTED && routine === WRITES_ON_STANDBY),
  );

const STATEMENT_UNKNOWN = "26000";
/** `cached plan must not change result type`. */
const PLAN_CHANGED = "RevalidateCachedQuery";

/**
 * Whether the server no longer had a prepared statement, after a pooler reset the session or a migration
 * changed a table. The driver prepares it again and repeats it. In a transaction, which the error has undone,
 * it cannot.
 */
export const isStatementLost = (error: unknown): boolean =>
  causesOf(error).some(
    ({ name, code, routine }) =>
      name === "PostgresError" &&
      (code === STATEMENT_UNKNOWN || (code === NOT_SUPPORTED && routine === PLAN_CHANGED)),
  );

const INTERNAL_ERROR = "XX000";
/** Messages of libpq and Citus under XX000 when a worker is lost in the middle of a transaction. */
const WORKER_LOST = [
  /server closed the connection|connection not open|no connection to the server|cannot connect to/,
  /could not (?:send|receive) data|SSL (?:connection|SYSCALL)/,
  /marked as essential|failed to prepare transaction|could not commit transaction for shard/,
];

/** Whether the database is down or overloaded, so that a retry makes sense. */
export function isDatabaseUnavailable(error: unknown): boolean {
  if (isStatementLost(error)) return true;
  for (const at of causesOf(error)) {
    const { code } = at;
    if (typeof code !== "string") continue;
    if (CONNECTION_REASONS.has(code) || TLS_CODES.test(code) || code === NOT_POSTGRES) return true;
    if (!postgresError(at)) continue;
    const isWorkerLost = code === INTERNAL_ERROR && WORKER_LOST.some((lost) => lost.test(at.message));
    if (isWorkerLost || AWAY_STATES.test(code)) return true;
  }
  return false;
}

/** Failures before a connection was there to send anything on. */
const NOT_SENT = new Set([
  "ECONNREFUSED",
  "ENOTFOUND",
  "EAI_AGAIN",
  "CONNECT_TIMEOUT",
  "CONNECTION_ENDED",
  NOT_POSTGRES,
]);
/** States of refused sessions: too many connections, starting or stopping, a transaction left idle. */
const NO_SESSION = /^(?:53300|57P03|25P03)$/;
/** States with which Postgres ends a statement and takes back what it did. */
const TAKEN_BACK = /^(?:53|58|57014$|40001$|40P01$|55P03$|25006$)/;

/**
 * Whether a statement that failed with `isDatabaseUnavailable` certainly changed nothing. Anything else is
 * unknown: a lost connection, a session that was ended (57P01), an error about a COMMIT at a worker.
 */
export function wasNotApplied(error: unknown): boolean {
  for (const at of causesOf(error)) {
    const { code = "", syscall, severity } = at;
    if (NOT_SENT.has(code) || syscall === "connect") return true;
    if (!postgresError(at)) continue;
    if (NO_SESSION.test(code) || WORKER_NOT_REACHED.test(at.message)) return true;
    if (severity === "ERROR" && TAKEN_BACK.test(code)) return true;
  }
  return false;
}

export const isOutcomeUnknown = (error: unknown): boolean =>
  isDatabaseUnavailable(error) && !wasNotApplied(error);

/** Failed authentication, a missing database or missing privileges. A retry does not help. */
const REFUSAL_STATES = /^(?:28|3D000$|42501$)/;
/** PgBouncer's words for the timeouts that the service sends. Its other errors mostly pass by themselves. */
const UNSUPPORTED = "unsupported startup parameter";

const CHECK_URL = "Check DATABASE_URL.";

/** Why the server does not accept us or a schema change, and what to do. A retry does not help. */
export function refusalByPostgres(error: unknown, remedy = CHECK_URL): string | undefined {
  for (const at of causesOf(error)) {
    const { code, name, severity } = at;
    if (typeof code !== "string") continue;
    if (TLS_CODES.test(code))
      return `TLS to the database failed: ${at.message.replace(/\.$/, "")} (${code}). ${remedy}`;
    if (code === NOT_POSTGRES) return `${at.message} ${remedy}`;
    if (name !== "PostgresError") continue;
    if (at.message.startsWith(UNSUPPORTED))
      return "DATABASE_URL leads to a pooler that works per transaction. Set DATABASE_POOLER=transaction.";
    const isRefused = severity === "FATAL" && !AWAY_STATES.test(code);
    if (isRefused || REFUSAL_STATES.test(code)) return `Postgres returned an error: ${at.message}. ${remedy}`;
  }
  return undefined;
}

/** Whether policies hide rows that `withEveryRow` asked for. No language translates the function's name. */
export const isFiltered = (error: unknown): boolean =>
  causesOf(error).some(({ routine }) => routine === "check_enable_rls");

/** In a few words that continue a sentence. Names no address, which is in DATABASE_URL. */
export function awayReason(error: unknown): string {
  for (const at of causesOf(error)) {
    if (postgresError(at)) return `it said “${at.message}”`;
    const reason = CONNECTION_REASONS.get(at.code ?? "");
    if (reason) return `${reason} (${at.code})`;
  }
  return "the reason is unknown";
}

/** Why the coordinator could not sign in to a worker, which Citus reports like a lost worker. */
const SIGN_IN_FAILED =
  /(?:no password supplied|password authentication failed|no pg_hba\.conf entry|SSL is required)[^\n]*/;

/** What is wrong with a worker that a statement needed. */
export function workerFailure(error: unknown): string | undefined {
  const worker = postgresError(error)?.worker;
  if (!worker) return undefined;
  for (const at of causesOf(error)) {
    const refused = SIGN_IN_FAILED.exec(`${at.message} ${at.detail ?? ""}`)?.[0];
    if (refused)
      return (
        `The coordinator cannot sign in to worker ${worker}: ${refused.trim().replace(/\.$/, "")}. ` +
        "See “Passwords between nodes” in docs/scale.md."
      );
  }
  return `Worker ${worker} is not responding. Check that it is running.`;
}
