import { setTimeout as sleep } from "node:timers/promises";
import type { Fragment, Sql, TransactionSql } from "postgres";
import type { Database } from "@/db/client";
import { schemaIsCurrent } from "@/db/migrate";
import { askFor } from "@/db/session-settings";
import { checkBearerSecret } from "@/server/kernel/bearer-secret";
import { cached } from "@/server/kernel/cached";
import { database } from "@/server/kernel/database";
import { log } from "@/server/kernel/log";
import { metricsText } from "@/server/kernel/metrics/process-metrics";
import { settings } from "@/server/kernel/settings";
import { oldestDue } from "@/server/operations/read-state";
import { BATCH_STATUSES } from "@/terms/batch-terms";
import { COUNT_MAX } from "@/terms/filters";
import { DomainError } from "@/terms/problems";

/** Metrics of the database, the same for every process, with their help texts. Totals are counters. */
const HELP = {
  ptb_database_up: "Whether the database metrics below could be read.",
  ptb_batches: "Batches by status, counted up to 10,001.",
  ptb_batches_held: "Batches on hold, counted up to 10,001.",
  ptb_batches_awaiting_approval: "Batches that await approval, counted up to 10,001.",
  ptb_oldest_overdue_seconds: "How overdue the oldest due batch is. 0 when none is due.",
  ptb_finalizer_lag_seconds: "Longest delay between due and finalized in the last minute's runs.",
  ptb_finalizer_last_tick_seconds: "Time since any finalizer last ran. Absent if none ever did.",
  ptb_settled_batches_total: "Batches finalized, by all processes.",
  ptb_settled_transfers_total: "Transfers credited, by all processes.",
  ptb_backup_age_seconds:
    "Time since the snapshot of the last backup that the service's own command wrote. " +
    "Absent before the first one.",
  ptb_schema_migrations: "Migrations that this version expects, and migrations applied to the database.",
  ptb_ledger_check_every_seconds: "Configured time between ledger self-checks. 0 when they are off.",
  ptb_ledger_check_ok: "Whether the last ledger self-check passed.",
  ptb_ledger_check_completed: "Whether the last ledger self-check completed.",
  ptb_ledger_check_findings: "Differences found by the last ledger self-check, at most 100.",
  ptb_ledger_check_age_seconds: "Time since the last ledger self-check.",
  ptb_ledger_check_good_age_seconds: "Time since a ledger self-check last passed. Absent if none ever did.",
  ptb_ledger_check_round_age_seconds:
    "Time since a full round of checks over all transfers. Absent before the first one.",
} as const;
type Metric = keyof typeof HELP;

const LABELS: Partial<Record<Metric, string>> = { ptb_batches: "status", ptb_schema_migrations: "kind" };

/** A metric with a label has a value for each of the label's values. */
type Figures = Partial<Record<Metric, number | null | Record<string, number>>>;

/** Prometheus text format. Only `ptb_database_up 0` when the figures could not be read: no stale values. */
export async function figureLines(figures: Figures | null): Promise<string> {
  const { Counter, Gauge, Registry } = await import("prom-client");
  const registry = new Registry();
  const values: Figures = { ptb_database_up: figures ? 1 : 0, ...figures };
  for (const name of Object.keys(HELP) as Metric[]) {
    const value = values[name] ?? null;
    const label = LABELS[name] ?? "";
    const metric = { name, help: HELP[name], registers: [registry] };
    // The library would export 0 for a missing value.
    if (value === null) continue;
    if (typeof value === "object") {
      const gauge = new Gauge({ ...metric, labelNames: [label] });
      for (const [key, one] of Object.entries(value)) gauge.set({ [label]: key }, one);
    } else if (name.endsWith("_total")) new Counter(metric).inc(value);
    else new Gauge(metric).set(value);
  }
  return registry.metrics();
}

const HOUR_SECONDS = 3600;

/** Time limit of one metrics query. */
const STATEMENT_MS_MAX = 500;

/** Reads the metrics, each from a few index rows. @throws database errors when it is down or too slow */
export async function readFigures(db: Database) {
  const { applied, expected } = await schemaIsCurrent(db.sql);
  return await db.sql.begin("read only", async (tx) => {
    await askFor(tx, { statement_timeout: STATEMENT_MS_MAX });
    const [row] = await figuresQuery(tx);
    const { check, ...figures } = row!;
    const ptb_ledger_check_every_seconds = settings().SELF_CHECK_EVERY_HOURS * HOUR_SECONDS;
    return {
      ...figures,
      ...check,
      ptb_schema_migrations: { applied, expected },
      ptb_ledger_check_every_seconds,
    };
  });
}

/** Counts stop at `COUNT_MAX` + 1. `check` is null before the first one. */
export function figuresQuery(sql: Sql | TransactionSql) {
  const atMost = (condition: Fragment) => sql`(select count(*)::int from (
      select 1 from batches where ${condition} limit ${COUNT_MAX + 1}) as counted)`;
  const counts = BATCH_STATUSES.map((status, place) => {
    const ofStatus = atMost(
      sql`point_type = any(enum_range(null::point_type)) and status = ${status}::batch_status`,
    );
    return sql`${place === 0 ? sql`` : sql`, `}${status}::text, ${ofStatus}`;
  });
  return sql<(Figures & { check: Figures | null })[]>`
    select json_build_object(${counts}) as ptb_batches,
      ${atMost(sql`status = 'PENDING' and held_at is not null`)} as ptb_batches_held,
      ${atMost(sql`status = 'PENDING' and awaits_approval`)} as ptb_batches_awaiting_approval,
      coalesce(extract(epoch from now() - ${oldestDue(sql)})::float8, 0) as ptb_oldest_overdue_seconds,
      coalesce((select max(lag_seconds_max) from finalizer_runs
        where finished_at > now() - interval '1 minute'), 0) as ptb_finalizer_lag_seconds,
      -- A tick can be committed after this statement's own time.
      (select greatest(extract(epoch from now() - last_tick_at), 0)::float8 from finalizer_heartbeat)
        as ptb_finalizer_last_tick_seconds,
      coalesce((select batches_finalized::float8 from finalizer_heartbeat), 0) as ptb_settled_batches_total,
      coalesce((select transfers_settled::float8 from finalizer_heartbeat), 0) as ptb_settled_transfers_total,
      (select greatest(extract(epoch from now() - (detail->>'takenAt')::timestamptz), 0)::float8
        from audit_log where action = 'backup.write' order by id desc limit 1) as ptb_backup_age_seconds,
      (select jsonb_build_object('ptb_ledger_check_ok', is_ok::int,
          'ptb_ledger_check_completed', (not findings @> '[{"rule":"check_completed"}]')::int,
          'ptb_ledger_check_findings', jsonb_array_length(findings),
          'ptb_ledger_check_age_seconds', greatest(extract(epoch from now() - finished_at), 0),
          'ptb_ledger_check_good_age_seconds', (select greatest(extract(epoch from now() - finished_at), 0)
            from ledger_checks where is_ok order by finished_at desc limit 1),
          'ptb_ledger_check_round_age_seconds', (
            select greatest(extract(epoch from now() - round_finished_at), 0) from ledger_checkpoint))
        from ledger_checks order by finished_at desc limit 1) as check`;
}

const CONTENT_TYPE = "text/plain; version=0.0.4; charset=utf-8";

/** Limits database queries, no matter how often the metrics are scraped. */
const KEPT_SECONDS = 5;

/** A scrape waits no longer for the database. */
const FIGURES_MS_MAX = 1500;

/** Database metrics, at most five seconds old. Null when they could not be read in time. */
async function cachedFigures(): Promise<Figures | null> {
  const figures = cached("figures", "", KEPT_SECONDS, () =>
    readFigures(database()).catch((error: unknown) => {
      log().warn({ error }, "could not read the database metrics");
      return null;
    }),
  );
  return await Promise.race([figures, sleep(FIGURES_MS_MAX, null, { ref: false })]);
}

/** @throws DomainError `not_found` without METRICS_TOKEN, `missing_token`, `invalid_token` */
export async function answerMetrics(request: Request): Promise<Response> {
  const { METRICS_TOKEN } = settings();
  if (!METRICS_TOKEN)
    throw new DomainError("not_found", "Metrics are disabled. Set METRICS_TOKEN to enable them.");
  checkBearerSecret(request.headers.get("authorization"), METRICS_TOKEN, "metrics token");
  const texts = await Promise.all([metricsText(), cachedFigures().then(figureLines)]);
  const text = texts.map((part) => `${part.trimEnd()}\n`).join("");
  return new Response(text, { headers: { "Content-Type": CONTENT_TYPE } });
}
