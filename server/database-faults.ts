/** What Postgres said of a failed statement, when the error is one of Postgres. */
export interface SqlFault {
  /** SQLSTATE, five characters. */
  code: string;
  constraint: string | undefined;
}

/** Reads a driver's error, also through Drizzle's wrapper; undefined when it is not one of Postgres. */
export function sqlFault(error: unknown): SqlFault | undefined {
  for (let at: unknown = error, depth = 0; at instanceof Error && depth < 4; at = at.cause, depth++) {
    const { code, constraint_name, name } = at as Error & { code?: string; constraint_name?: string };
    if (name === "PostgresError" && typeof code === "string")
      return { code, constraint: constraint_name ?? constraintIn(at.message) };
  }
  return undefined;
}

/** Citus passes a worker's error on without the constraint's name; a key's has the number of the shard behind it. */
function constraintIn(message: string): string | undefined {
  return /constraint "([^"]+?)(?:_\d+)?"/.exec(message)?.[1];
}

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

/** Whether a failure means that the database is away or overloaded for now, so that trying again makes sense. */
export function databaseIsAway(error: unknown): boolean {
  for (let at: unknown = error, depth = 0; at instanceof Error && depth < 4; at = at.cause, depth++) {
    const code = (at as { code?: unknown }).code;
    if (typeof code === "string" && (CONNECTION_CODES.has(code) || (sqlFault(at) && AWAY_STATES.test(code))))
      return true;
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
