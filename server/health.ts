import type { Sql } from "postgres";
import { schemaIsCurrent } from "@/db/migrate";
import { database } from "./database";
import { lifecycle } from "./lifecycle";
import { DomainError } from "./problems";

export interface Readiness {
  ready: boolean;
  checks: { draining: boolean; database: "up" | "away"; schema: "current" | "behind" | "unknown" };
  /** Seconds the oldest due batch has waited; a warning, not a reason to be unready. */
  oldestOverdueSeconds: number | null;
}

/** Whether this process can serve: it is not shutting down, the database answers, and its schema is this version's. */
export async function readiness(): Promise<Readiness> {
  const { draining } = lifecycle();
  try {
    const { sql } = database();
    const { current } = await schemaIsCurrent(sql);
    return {
      ready: !draining && current,
      checks: { draining, database: "up", schema: current ? "current" : "behind" },
      // An older schema may have no such table.
      oldestOverdueSeconds: current ? await readOverdue(sql) : null,
    };
  } catch {
    return {
      ready: false,
      checks: { draining, database: "away", schema: "unknown" },
      oldestOverdueSeconds: null,
    };
  }
}

/** The readiness of a process that can serve. @throws DomainError `unavailable`, with the checks in it */
export async function expectReady(): Promise<Readiness> {
  const state = await readiness();
  if (state.ready) return state;
  const { draining, database, schema } = state.checks;
  const reason = draining
    ? "This process is stopping."
    : database === "away"
      ? "The database does not answer."
      : `The database's schema is ${schema}: run the migrations of this version.`;
  throw new DomainError("unavailable", reason, { headers: { "Retry-After": "2" }, extra: { ...state } });
}

async function readOverdue(sql: Sql): Promise<number | null> {
  const [due] = await sql<{ seconds: number | null }[]>`
    select floor(extract(epoch from now() - min(finalize_at)))::int as seconds from batches
    where status = 'PENDING' and held_at is null and finalize_at <= now()`;
  return due?.seconds ?? null;
}
