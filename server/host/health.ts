import { setTimeout as sleep } from "node:timers/promises";
import type { Sql } from "postgres";
import { schemaIsCurrent } from "@/db/migrate";
import { hasBearerSecret } from "@/server/kernel/bearer-secret";
import { cached } from "@/server/kernel/cached";
import { COMMITS_WAITING, database, databases } from "@/server/kernel/database";
import { lifecycle } from "@/server/kernel/process";
import { settings } from "@/server/kernel/settings";
import { DomainError } from "@/terms/problems";

export interface Readiness {
  ready: boolean;
  checks: {
    draining: boolean;
    database: "up" | "read-only" | "waiting" | "away";
    schema: "current" | "behind" | "unknown";
    /** What the last look for alerts could not read. Other requests may succeed. */
    unread: string | null;
  };
}

/** Probes give up after a few seconds, and call an instance that does not answer dead. */
const READY_MS_MAX = 1500;

/** Ready: not shutting down, database up and writable, schema current. Takes at most 1.5 s. */
export async function readiness(): Promise<Readiness> {
  // Only one at a time: probes come every few seconds, and each that hangs keeps a connection.
  const asking = cached("readiness", "", 0, askDatabase);
  const state = await Promise.race([asking, sleep(READY_MS_MAX, AWAY, { ref: false })]);
  const { draining } = lifecycle();
  return { ready: state.ready && !draining, checks: { draining, ...state.checks } };
}

type DatabaseState = { ready: boolean; checks: Omit<Readiness["checks"], "draining"> };

const AWAY: DatabaseState = { ready: false, checks: { database: "away", schema: "unknown", unread: null } };

/** On Citus, it asks no worker: the service serves while one is down. */
async function askDatabase(): Promise<DatabaseState> {
  try {
    const { sql } = database();
    const state = await askForWrites(sql);
    const { current } = await schemaIsCurrent(sql);
    const [alert] = current
      ? await sql<{ remedy: string }[]>`
          select remedy from alerts where kind = 'unread' and ended_at is null and cleared_at is null`
      : [];
    return {
      ready: current && state === "up",
      checks: { database: state, schema: current ? "current" : "behind", unread: alert?.remedy ?? null },
    };
  } catch {
    return AWAY;
  }
}

async function askForWrites(sql: Sql): Promise<"up" | "read-only" | "waiting"> {
  const [row] = await sql<{ isReadOnly: boolean; waiting: number }[]>`
    select current_setting('transaction_read_only')::boolean as "isReadOnly",
      (${sql.unsafe(COMMITS_WAITING)}) as waiting`;
  const { isReadOnly, waiting } = row!;
  if (!isReadOnly) return waiting > 0 ? "waiting" : "up";
  // An instance that is not ready gets no requests, by which it would find the new primary.
  for (const each of databases()) each.renew();
  return "read-only";
}

/** For `/readyz`: yes or no, and more only with the metrics token. @throws DomainError `unavailable` */
export async function answerReadyz(request: Request): Promise<Pick<Readiness, "ready">> {
  const isTrusted = hasBearerSecret(request.headers.get("authorization"), settings().METRICS_TOKEN);
  const state = await readiness();
  const shown = isTrusted ? state : { ready: state.ready };
  if (state.ready) return shown;
  const detail = isTrusted ? reasonOf(state) : "The service is not ready.";
  throw new DomainError("unavailable", detail, { headers: { "Retry-After": "2" }, extra: { ...shown } });
}

function reasonOf({ checks: { draining, database, schema } }: Readiness): string {
  if (draining) return "This process is shutting down.";
  if (database === "away") return "The database is not responding.";
  if (database === "waiting") return "Commits wait for a synchronous standby. Run `ops doctor`.";
  if (database === "read-only") return "The database is read-only. It may be a former primary or a replica.";
  return `The database schema is ${schema}. Run this version's migrations.`;
}
