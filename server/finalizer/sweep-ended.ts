import type { Database } from "@/db/client";
import { onShard, shardsOf } from "../kernel/shards/routing";

/** Most rows of each kind deleted at once. A token is kept for a day, so that its caller hears that it expired. */
export const ROWS_MAX = 5000;
/** The Operations screen looks back seven days; a month leaves room to ask what happened then. */
export const RUNS_KEPT_DAYS = 30;
/** How long deliveries can be read and sent again. What still waits then, waits for an endpoint that is disabled or deleted. */
const WEBHOOK_LOG_DAYS = 30;
/** What one call may take beyond a first piece of each kind. */
const BUDGET_SECONDS = 1;

export interface SweepOptions {
  budgetSeconds?: number;
  /** Ends it sooner: the piece in progress is finished. */
  isStopping?: () => boolean;
}

/**
 * Deletes what ended some time ago and only takes room: operators' tokens, spent challenges, invitations, webhooks' log
 * and old secrets, counted requests of past windows, finalizer runs. One piece of each kind, then in turn of those that
 * have more, while there is time. Gives whether all is deleted.
 */
export async function sweepEnded(
  db: Database,
  { budgetSeconds = BUDGET_SECONDS, isStopping = () => false }: SweepOptions = {},
): Promise<boolean> {
  const endsAt = performance.now() + budgetSeconds * 1000;
  await forgetPreviousSecrets(db);
  let left = PIECES;
  for (let isFirst = true; left.length > 0; isFirst = false) {
    const more: typeof left = [];
    for (const piece of left) {
      if (isStopping() || (!isFirst && performance.now() >= endsAt)) return false;
      const { count } = await piece(db);
      if (count >= ROWS_MAX) more.push(piece);
    }
    left = more;
  }
  return true;
}

async function forgetPreviousSecrets(db: Database): Promise<void> {
  const { sql } = db;
  const shards = await shardsOf(
    db,
    sql`select contract_address, previous_secret_until as since from webhook_endpoints where previous_secret_until < now()`,
  );
  for (const contracts of shards)
    await sql`update webhook_endpoints set previous_secret_sealed = null, previous_secret_until = null
      where previous_secret_until < now() ${onShard(db, contracts, "contract_address")}`;
}

/** The oldest ones, wherever they are; on Citus shard by shard. */
async function deleteOldDeliveries(db: Database): Promise<{ count: number }> {
  const { sql } = db;
  const isOld = sql`event_at < now() - ${WEBHOOK_LOG_DAYS}::int * interval '1 day'`;
  const shards = await shardsOf(
    db,
    sql`select contract_address, event_at as since from webhook_deliveries where ${isOld} order by since limit ${ROWS_MAX}`,
  );
  const deleted = { count: 0 };
  for (const contracts of shards) {
    const { count } = await sql`delete from webhook_deliveries where (contract_address, id) in (
      select contract_address, id from webhook_deliveries where ${isOld} ${onShard(db, contracts, "contract_address")}
      limit ${ROWS_MAX - deleted.count}) ${onShard(db, contracts, "contract_address")}`;
    deleted.count += count;
    if (deleted.count >= ROWS_MAX) break;
  }
  return deleted;
}

/** Each deletes at most `ROWS_MAX` rows. */
const PIECES: ((db: Database) => PromiseLike<{ count: number }>)[] = [
  ({ sql }) => sql`delete from operator_tokens where (token_hash, contract_address) in (
    select token_hash, contract_address from operator_tokens where expires_at < now() - interval '1 day' limit ${ROWS_MAX})`,
  ({ sql }) => sql`delete from spent_challenges where nonce in (
    select nonce from spent_challenges where expires_at < now() - interval '1 minute' limit ${ROWS_MAX})`,
  ({ sql }) => sql`delete from staff_invitations where token_hash in (
    select token_hash from staff_invitations where expires_at < now() - interval '1 minute' limit ${ROWS_MAX})`,
  deleteOldDeliveries,
  ({ sql }) => sql`delete from rate_limits where key in (
    select key from rate_limits where expire < extract(epoch from now() - interval '1 minute') * 1000 limit ${ROWS_MAX})`,
  ({ sql }) => sql`delete from finalizer_runs where id in (
    select id from finalizer_runs where finished_at < now() - make_interval(days => ${RUNS_KEPT_DAYS})
    order by finished_at limit ${ROWS_MAX})`,
];
