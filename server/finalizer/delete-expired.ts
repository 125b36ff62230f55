import type { Database } from "@/db/client";
import { BULK_KEPT_DAYS, PREVIEW_MINUTES } from "@/server/batches/bulk/schema";
import { settings } from "@/server/kernel/settings";
import { onShard, shardsOf } from "@/server/kernel/shards";

export const DELETED_ROWS_MAX = 5000;
/** The Operations page shows seven days. A month leaves time to investigate. */
export const RUNS_KEPT_DAYS = 30;
/** How long deliveries can be read and replayed. One still pending then has no active endpoint. */
const WEBHOOK_LOG_DAYS = 30;
const REQUESTS_KEPT_DAYS = 30;
/** Ended alerts stay in the inbox this long, and who has seen what. */
export const ALERTS_KEPT_DAYS = 90;
/** Time budget of one call, after a first chunk of each kind. */
const BUDGET_SECONDS = 1;

export interface SweepOptions {
  budgetSeconds?: number;
  /** Stops early, after the current chunk. */
  isStopping?: () => boolean;
}

/** One chunk of each kind, then more while there is time. @returns whether everything is deleted */
export async function deleteExpired(
  db: Database,
  { budgetSeconds = BUDGET_SECONDS, isStopping = () => false }: SweepOptions = {},
): Promise<boolean> {
  const endsAt = performance.now() + budgetSeconds * 1000;
  await clearPreviousSecrets(db);
  let left = DELETES;
  for (let isFirst = true; left.length > 0; isFirst = false) {
    const more: typeof left = [];
    for (const deleteChunk of left) {
      if (isStopping() || (!isFirst && performance.now() >= endsAt)) return false;
      const { count } = await deleteChunk(db);
      if (count >= DELETED_ROWS_MAX) more.push(deleteChunk);
    }
    left = more;
  }
  return true;
}

async function clearPreviousSecrets(db: Database): Promise<void> {
  const { sql } = db;
  const shards = await shardsOf(
    db,
    sql`select contract_address, previous_secret_until as since
      from webhook_endpoints where previous_secret_until < now()`,
  );
  for (const contracts of shards)
    await sql`update webhook_endpoints set previous_secret_sealed = null, previous_secret_until = null
      where previous_secret_until < now() ${onShard(db, contracts, "contract_address")}`;
}

/** Deletes the oldest rows of a table of contracts, shard by shard on Citus. @param at its time */
const deleteOldest = (name: string, at: string, keptDays: number) =>
  async function deleteChunk(db: Database): Promise<{ count: number }> {
    const { sql } = db;
    const table = sql(name);
    const key = sql(["contract_address", at, "id"]);
    const isOld = sql`${sql(at)} < now() - ${keptDays}::int * interval '1 day'`;
    const shards = await shardsOf(
      db,
      sql`select contract_address, ${sql(at)} as since
        from ${table} where ${isOld} order by since limit ${DELETED_ROWS_MAX}`,
    );
    const deleted = { count: 0 };
    for (const contracts of shards) {
      const { count } = await sql`delete from ${table} where (${key}) in (
        select ${key} from ${table} where ${isOld} ${onShard(db, contracts, "contract_address")}
        limit ${DELETED_ROWS_MAX - deleted.count}) ${onShard(db, contracts, "contract_address")}`;
      deleted.count += count;
      if (deleted.count >= DELETED_ROWS_MAX) break;
    }
    return deleted;
  };

const deleteWhere =
  (name: string, columns: string[], isOld: string) =>
  ({ sql }: Database) => {
    const [table, key] = [sql(name), sql(columns)];
    return sql`delete from ${table} where (${key}) in (
      select ${key} from ${table} where ${sql.unsafe(isOld)} limit ${DELETED_ROWS_MAX})`;
  };

/** Previews that were not started, and jobs that ended long ago. */
const isOldJob = (sql: Database["sql"]) => sql`case when j.started_at is null
  then j.frozen_at < now() - make_interval(mins => ${PREVIEW_MINUTES}::int)
  else j.finished_at < now() - make_interval(days => ${BULK_KEPT_DAYS}::int) end`;

/** Each deletes at most `DELETED_ROWS_MAX` rows. */
const DELETES: ((db: Database) => PromiseLike<{ count: number }>)[] = [
  // After a day, so that callers get "expired" instead of "invalid".
  deleteWhere("operator_tokens", ["token_hash", "contract_address"], "expires_at < now() - interval '1 day'"),
  deleteWhere("spent_challenges", ["nonce"], "expires_at < now() - interval '1 minute'"),
  deleteWhere("staff_invitations", ["token_hash"], "expires_at < now() - interval '1 minute'"),
  ({ sql }) => sql`delete from staff_sessions where id in (
    select s.id from staff_sessions s join staff p on p.id = s.staff_id
    where s.created_at <= now() - make_interval(hours => ${settings().SESSION_MAX_HOURS}::int)
      or s.last_used_at <= now() - make_interval(mins => ${settings().SESSION_IDLE_MINUTES}::int)
      or s.epoch <> p.session_epoch
    limit ${DELETED_ROWS_MAX})`,
  deleteOldest("webhook_deliveries", "event_at", WEBHOOK_LOG_DAYS),
  deleteOldest("request_log", "created_at", REQUESTS_KEPT_DAYS),
  deleteWhere("rate_limits", ["key"], "expire < extract(epoch from now() - interval '1 minute') * 1000"),
  deleteWhere("finalizer_runs", ["id"], `finished_at < now() - make_interval(days => ${RUNS_KEPT_DAYS})`),
  ({ sql }) => sql`delete from bulk_job_items where (job_id, position) in (
    select i.job_id, i.position from bulk_jobs j join bulk_job_items i on i.job_id = j.id
    where ${isOldJob(sql)} limit ${DELETED_ROWS_MAX})`,
  ({ sql }) => sql`delete from bulk_jobs where id in (
    select j.id from bulk_jobs j where ${isOldJob(sql)}
      and not exists (select 1 from bulk_job_items i where i.job_id = j.id) limit ${DELETED_ROWS_MAX})`,
  deleteWhere(
    "alert_views",
    ["alert_id", "seen_by"],
    `seen_at < now() - make_interval(days => ${ALERTS_KEPT_DAYS})`,
  ),
  ({ sql }) => sql`delete from alerts where id in (
    select id from alerts where started_at < now() - make_interval(days => ${ALERTS_KEPT_DAYS})
      and ended_at < now() - make_interval(days => ${ALERTS_KEPT_DAYS})
    order by started_at limit ${DELETED_ROWS_MAX})`,
];
