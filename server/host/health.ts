import { setTimeout as sleep } from "node:timers/promises";
import type { Sql } from "postgres";
import { schemaIsCurrent } from "@/db/migrate";
import { oldestDue } from "../batches/list/oldest-due";
import { database } from "../kernel/database";
import { databaseIsAway } from "../kernel/database-faults";
import { lifecycle } from "../kernel/lifecycle";
import { DomainError } from "../kernel/values/problems";

/** A due batch is finalized within seconds; waiting longer is worth a word. */
const OVERDUE_SECONDS_MAX = 60;
const OVERDUE_READ_MS_MAX = 1000;

const NOT_ALL_ANSWERS = "How late batches are is not known: a part of the database does not answer.";

export interface Readiness {
  ready: boolean;
  checks: { draining: boolean; database: "up" | "away"; schema: "current" | "behind" | "unknown" };
  /** What somebody should look after, though the service can serve. */
  warnings: string[];
  /** Seconds the oldest due batch has waited; a warning, not a reason to be unready. */
  oldestOverdueSeconds: number | null;
}

/** Whether this process can serve: it is not shutting down, the database answers, and its schema is this version's. */
export async function readiness(): Promise<Readiness> {
  const { draining } = lifecycle();
  try {
    const { sql } = database();
    const { current } = await schemaIsCurrent(sql);
    // An older schema may have no such table.
    const overdue = current ? await readOverdueSoon(sql) : null;
    return {
      ready: !draining && current,
      checks: { draining, database: "up", schema: current ? "current" : "behind" },
      warnings: overdue === "unknown" ? [NOT_ALL_ANSWERS] : overdueWarnings(overdue),
      oldestOverdueSeconds: overdue === "unknown" ? null : overdue,
    };
  } catch {
    return {
      ready: false,
      checks: { draining, database: "away", schema: "unknown" },
      warnings: [],
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

const overdueWarnings = (seconds: number | null): string[] =>
  seconds !== null && seconds > OVERDUE_SECONDS_MAX
    ? [`The oldest due batch has waited ${seconds} s: no finalizer keeps up.`]
    : [];

/**
 * How long the oldest due batch has waited. On Citus every worker has to say so; the service serves while one is away, so that
 * this answer is waited for no longer than a probe waits.
 */
async function readOverdueSoon(sql: Sql): Promise<number | null | "unknown"> {
  reading ??= readOverdue(sql).finally(() => {
    reading = undefined;
  });
  const late = sleep(OVERDUE_READ_MS_MAX, "unknown" as const, { ref: false });
  return await Promise.race([reading, late]).catch((error: unknown) => {
    if (databaseIsAway(error)) return "unknown" as const;
    throw error;
  });
}

/** One at a time: a probe comes every few seconds, and each read that hangs keeps a connection. */
let reading: Promise<number | null> | undefined;

async function readOverdue(sql: Sql): Promise<number | null> {
  const [due] = await sql<{ seconds: number | null }[]>`
    select floor(extract(epoch from now() - ${oldestDue(sql)}))::int as seconds`;
  return due?.seconds ?? null;
}
