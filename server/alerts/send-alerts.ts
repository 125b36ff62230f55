import type { Database } from "@/db/client";
import { log } from "../kernel/log";
import { publicOrigin } from "../kernel/settings";
import { toTimestamp } from "../kernel/values/batch-rows";
import { sendTo, targetOf } from "./channels";
import { composeMessage, type SentAlert } from "./compose";
import { worstFirst } from "./inbox";
import { CHANNELS, type Channel } from "./kinds";
import { takeTurn } from "./take-turn";

/** A start is sent when the condition has lasted this long, so that a restart sends none. */
const LASTS_SECONDS = 20;
/** At most one message per channel in this time. It is also how long an attempt belongs to one instance. */
const GAP_SECONDS = 60;
/** The wait doubles after each failed attempt, up to this. */
const WAIT_SECONDS_MAX = 900;
/** Alerts per message. The next message has the others. */
const ALERTS_MAX = 200;

type Row = SentAlert & { id: string; isEnd: boolean; isRise: boolean };

/** Sends what started and ended to each channel: one message, from one instance. What could not be sent is sent later. */
export async function sendAlerts(db: Database): Promise<void> {
  const channels = CHANNELS.filter((channel) => targetOf(channel) !== null);
  await Promise.all(channels.map((channel) => sendToChannel(db, channel)));
}

async function sendToChannel(db: Database, channel: Channel): Promise<void> {
  const { sql } = db;
  if ((await unsent(db, channel, 1)).length === 0) return;
  if (!(await takeTurn(db, channel, GAP_SECONDS))) return;
  const rows = await unsent(db, channel, ALERTS_MAX);
  if (rows.length === 0) return;
  const shown = rows.map((row) => ({
    ...row,
    startedAt: toTimestamp(row.startedAt),
    clearedAt: row.clearedAt && toTimestamp(row.clearedAt),
  }));
  const ended = shown.filter(({ isEnd }) => isEnd);
  const risen = shown.filter(({ isEnd, isRise }) => isRise && !isEnd);
  const started = shown.filter(({ isEnd, isRise }) => !isRise && !isEnd);
  const { isSent, answer } = await sendTo(channel, composeMessage({ risen, started, ended }, publicOrigin()));
  if (!isSent) {
    log().warn({ channel, answer }, "alerts could not be sent, they will be sent later");
    return await storeFailure(db, channel, answer);
  }
  // An alert that has ended or become critical since then is sent again next time.
  const column = sql(`${channel}_sent`);
  const ids = (sent: readonly Row[]) => sent.map(({ id }) => id);
  await sql`
    update alerts set ${column} = case
      when id = any(${ids(ended)}::uuid[]) then 'end'
      when severity = 'critical' and id <> all(${ids(rows.filter((row) => row.severity === "critical"))}::uuid[]) then 'outdated'
      else 'start' end
    where id = any(${ids(rows)}::uuid[])`;
  await storeSuccess(db, channel);
}

/** No other instance has this turn, so nothing changes the count in between. Citus cannot add a column's interval to now(). */
async function storeFailure({ sql }: Database, channel: Channel, answer: string): Promise<void> {
  const [job] = await sql<{ failures: number }[]>`select failures from alert_jobs where name = ${channel}`;
  const failures = job?.failures ?? 0;
  const seconds = Math.min(WAIT_SECONDS_MAX, GAP_SECONDS * 2 ** Math.min(failures, 10));
  await sql`
    update alert_jobs set failures = ${failures + 1}::int, failure = ${answer},
      next_at = now() + make_interval(secs => ${seconds}::int)
    where name = ${channel}`;
}

export async function storeSuccess({ sql }: Database, channel: Channel): Promise<void> {
  await sql`
    insert into alert_jobs (name, next_at, succeeded_at) values (${channel}, now(), now())
    on conflict (name) do update set failures = 0, failure = null, succeeded_at = now()`;
}

/** Reads a few rows of a partial index. */
async function unsent({ sql }: Database, channel: Channel, limit: number): Promise<Row[]> {
  const column = sql(`${channel}_sent`);
  return await sql<Row[]>`
    select id, title, remedy, severity, started_at as "startedAt", cleared_at as "clearedAt", ended_at is not null as "isEnd",
      ${column} = 'outdated' as "isRise"
    from alerts
    where (webhook_sent <> 'end' or email_sent <> 'end')
      and ((${column} = 'nothing' and ended_at is null and cleared_at is null
          and started_at <= now() - make_interval(secs => ${LASTS_SECONDS}::int))
        or (${column} = 'outdated' and ended_at is null and cleared_at is null and severity = 'critical')
        or (${column} in ('start', 'outdated') and ended_at is not null))
    order by ${worstFirst(sql)} limit ${limit}`;
}
