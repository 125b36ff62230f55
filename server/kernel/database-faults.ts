/** What Postgres said of a failed statement, when the error is one of Postgres. */
export interface SqlFault {
  /** SQLSTATE, five characters. */
  code: string;
  constraint: string | undefined;
  /** The node of a Citus cluster, `host:port`, when a worker caused it or did not answer. */
  worker: string | undefined;
}

/** Reads a driver's error, also through Drizzle's wrapper; undefined when it is not one of Postgres. */
export function sqlFault(error: unknown): SqlFault | undefined {
  for (let at: unknown = error, depth = 0; at instanceof Error && depth < 4; at = at.cause, depth++) {
    const { code, constraint_name, name, where } = at as Error & Record<string, string | undefined>;
    if (name === "PostgresError" && typeof code === "string") {
      const constraint = constraint_name ?? (RULE_BROKEN.test(code) ? lastQuoted(at.message) : undefined);
      return { code, constraint: constraint?.replace(SHARD_BEHIND, ""), worker: workerIn(at.message, where) };
    }
  }
  return undefined;
}

/** Citus passes a worker's error on without the constraint's name, which stands last in the message of these states. */
const RULE_BROKEN = /^23(?:503|505|514|P01)$/;
/** Keys of a shard, and every constraint of a managed table, end with its number. */
const SHARD_BEHIND = /_\d{6,}$/;

/** Servers quote in the style of their language. */
function lastQuoted(message: string): string | undefined {
  return [...message.matchAll(/["“”„«»]\s*(\w+)\s*["“”„«»]/g)].at(-1)?.[1];
}

// Citus' own words, which it never translates. Nothing else is taken from a message: it may quote what a caller sent.
const AT_WORKER = /while executing command on (\S+:\d+)/;
const ABOUT_WORKER =
  /(?:remote node (?:\S+@)?|(?:for|the) node |on host |marked as essential: |cannot connect to )(\S+:\d+)/;

const workerIn = (message: string, where = "") => (AT_WORKER.exec(where) ?? ABOUT_WORKER.exec(message))?.[1];

const CONNECTION_CODES = new Set([
  "CONNECTION_CLOSED",
  "CONNECTION_ENDED",
  "CONNECTION_DESTROYED",
  "CONNECT_TIMEOUT",
  "CONNECTION_CONNECT_TIMEOUT",
  "ECONNREFUSED",
  "ECONNRESET",
  "EPIPE",
  "ETIMEDOUT",
  "ENOTFOUND",
  "EAI_AGAIN",
  "EHOSTUNREACH",
  "ENETUNREACH",
]);
/** Classes 08 connection, 53 resources, 57 operator intervention, 58 system; and single states of waiting too long. */
const AWAY_STATES = /^(?:08|53|57|58|40001$|40P01$|55P03$|25P03$|25006$)/;

const INTERNAL_ERROR = "XX000";
/** What libpq and Citus say under XX000 of a worker that went away in the middle of a transaction. */
const WORKER_LOST =
  /server closed the connection|connection not open|no connection to the server|could not (?:send|receive) data|SSL (?:connection|SYSCALL)|marked as essential|failed to prepare transaction|could not commit transaction for shard|cannot connect to/;

/** Whether a failure means that the database is away or overloaded for now, so that trying again makes sense. */
export function databaseIsAway(error: unknown): boolean {
  for (let at: unknown = error, depth = 0; at instanceof Error && depth < 4; at = at.cause, depth++) {
    const code = (at as { code?: unknown }).code;
    if (typeof code !== "string") continue;
    if (CONNECTION_CODES.has(code)) return true;
    if (!sqlFault(at)) continue;
    if (AWAY_STATES.test(code) || (code === INTERNAL_ERROR && WORKER_LOST.test(at.message))) return true;
  }
  return false;
}

/** Who may not come in, a database that is not there, what the role may not do: trying again does not help. */
const REFUSAL_STATES = /^(?:28|3D000$|42501$)/;

/** Postgres' own words when it refuses the role, the database's name or the right to change the schema. */
export function refusalByPostgres(error: unknown): string | undefined {
  for (let at: unknown = error, depth = 0; at instanceof Error && depth < 4; at = at.cause, depth++) {
    const { code, name } = at as Error & { code?: string };
    if (name === "PostgresError" && code && REFUSAL_STATES.test(code)) return at.message;
  }
  return undefined;
}
