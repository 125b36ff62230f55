import { randomUUID } from "node:crypto";
import type { TransactionSql } from "postgres";
import type { Database } from "@/db/client";
import type { ServiceContext } from "@/server/kernel/context";
import { database, requireCurrentSchema } from "@/server/kernel/database";
import { isDatabaseUnavailable, workerFailure } from "@/server/kernel/database-errors";
import { log } from "@/server/kernel/log";
import { single } from "@/server/kernel/process";
import { startWorkLoop } from "@/server/kernel/work-loop";
import {
  approvalConditions,
  batchConditions,
  pointsConditions,
  serviceConditions,
  webhookConditions,
} from "./find-conditions";
import { proposalConditions } from "./find-proposals";
import { type AlertKind, type Condition, FOUND_MAX } from "./kinds";
import { type Job, sendAlerts, takeTurn } from "./send-alerts";

/** An alert ends when its condition has been gone this long, doubled for each time that it came back. */
const QUIET_SECONDS = 120;
/** An alert that starts within this time after it ended has come back. */
const RETURN_SECONDS = 3600;
/** The quiet time grows up to 64 minutes. */
const RETURNS_MAX = 5;

/** Stores what was found, and clears and later ends other alerts, if their kind was looked for. */
export async function storeConditions(
  { sql }: Database,
  kinds: readonly AlertKind[],
  found: readonly Condition[],
): Promise<void> {
  const column = (name: keyof Condition) => found.map((condition) => condition[name] ?? null);
  if (found.length > 0) {
    await sql.begin(async (tx) => {
      await renewRisen(tx, found);
      await tx`
      insert into alerts as a (kind, subject, severity, title, remedy, path, due_at, started_at, returns)
      select kind, subject, severity, title, remedy, path, due_at::timestamptz,
        greatest(coalesce(started_at::timestamptz, now()),
          (select max(p.ended_at) from alerts p where p.kind = f.kind and p.subject = f.subject)),
        least(${RETURNS_MAX}::int, coalesce((select p.returns + 1 from alerts p
          where p.kind = f.kind and p.subject = f.subject
            and p.ended_at > now() - make_interval(secs => ${RETURN_SECONDS}::int)
          order by p.ended_at desc limit 1), 0))
      from unnest(${column("kind")}::text[], ${column("subject")}::text[], ${column("severity")}::text[],
        ${column("title")}::text[], ${column("remedy")}::text[], ${column("path")}::text[],
        ${column("dueAt")}::text[], ${column("startedAt")}::text[])
        as f (kind, subject, severity, title, remedy, path, due_at, started_at)
      on conflict (kind, subject) where ended_at is null do update
      set severity = excluded.severity, title = excluded.title, remedy = excluded.remedy,
        path = excluded.path, due_at = excluded.due_at, cleared_at = null
      where (a.severity, a.title, a.remedy, a.path, a.due_at)
        is distinct from (excluded.severity, excluded.title, excluded.remedy, excluded.path, excluded.due_at)
        or a.cleared_at is not null`;
    });
  }
  await sql`
    update alerts a set cleared_at = now()
    where a.ended_at is null and a.cleared_at is null and a.kind = any(${[...kinds]}::text[])
      and not exists (
        select 1 from unnest(${column("kind")}::text[], ${column("subject")}::text[]) as f (kind, subject)
        where f.kind = a.kind and f.subject = a.subject)`;
  // If no start was sent, no end is sent. Citus writes `case a when b` wrongly, and see `storeFailure`.
  await sql`
    update alerts set ended_at = now(),
      webhook_sent = case when webhook_sent = 'nothing' then 'end' else webhook_sent end,
      email_sent = case when email_sent = 'nothing' then 'end' else email_sent end
    where ended_at is null
      and extract(epoch from now() - cleared_at) >= ${QUIET_SECONDS}::int * (1 << returns)`;
}

/** An alert that has become critical is news again: nobody has seen it so, and nobody was sent it so. */
async function renewRisen(tx: TransactionSql, found: readonly Condition[]): Promise<void> {
  const critical = found.filter(({ severity }) => severity === "critical");
  if (critical.length === 0) return;
  const column = (name: "kind" | "subject") => critical.map((condition) => condition[name]);
  await tx`
    with risen as (
      update alerts a set severity = 'critical',
        webhook_sent = case when webhook_sent = 'start' then 'outdated' else webhook_sent end,
        email_sent = case when email_sent = 'start' then 'outdated' else email_sent end
      from unnest(${column("kind")}::text[], ${column("subject")}::text[]) as f (kind, subject)
      where f.kind = a.kind and f.subject = a.subject and a.severity = 'warning' and a.ended_at is null
      returning a.id
    )
    delete from alert_views where alert_id in (select id from risen)`;
}

/** All instances together look this often at most. */
export const LOOK_EVERY_SECONDS = 15;

interface Source {
  kinds: readonly AlertKind[];
  read(ctx: ServiceContext): Promise<Condition[]>;
  /** A source that is more expensive than what each open console reads is asked less often. */
  turn?: [Job, seconds: number];
  /** Whether it reads all of its conditions, and not the first `FOUND_MAX`. */
  isWhole?: true;
}

const SOURCES: readonly Source[] = [
  { kinds: ["check", "tick", "overdue", "run", "index"], read: serviceConditions },
  { kinds: ["webhook"], read: webhookConditions },
  { kinds: ["batch"], read: batchConditions, isWhole: true },
  { kinds: ["approval"], read: approvalConditions },
  { kinds: ["proposal"], read: proposalConditions },
  { kinds: ["points"], read: pointsConditions, turn: ["look at points", 600] },
];

/** Looks for conditions and stores them as alerts, unless an instance has done so within the last seconds. */
export async function lookForAlerts(db: Database): Promise<void> {
  if (!(await takeTurn(db, "look", LOOK_EVERY_SECONDS))) return;
  const ctx: ServiceContext = { db, requestId: randomUUID(), actor: "alerts" };
  const kinds: AlertKind[] = ["unread"];
  const found: Condition[] = [];
  const failures: unknown[] = [];
  // One after the other: alerts must not take many connections from requests.
  for (const { kinds: its, read, turn, isWhole } of SOURCES) {
    try {
      if (turn && !(await takeTurn(db, ...turn))) continue;
      const conditions = await read(ctx);
      found.push(...conditions);
      // What a full list lacks may still be true, so it ends nothing.
      if (isWhole || conditions.length < FOUND_MAX) kinds.push(...its);
    } catch (error) {
      // Alerts of these kinds stay as they are. The others must not wait for them.
      log().warn({ error, kinds: its }, "conditions for alerts could not be read");
      failures.push(error);
    }
  }
  if (failures.length > 0) found.push(unread(failures));
  await storeConditions(db, kinds, found);
}

/** On Citus, alerts are on the coordinator, which can store them while a worker is away. */
function unread(failures: readonly unknown[]): Condition {
  const lost = failures.map(workerFailure).find(Boolean);
  const until = "Until then nothing is finalized, and other problems are not noticed.";
  const remedy = lost
    ? `${lost} ${until}`
    : "The log of the host has the cause. Until it is fixed, some problems are not noticed.";
  const title = "Part of the database cannot be read";
  const severity = lost ? "critical" : "warning";
  return { kind: "unread", subject: "", severity, title, remedy, path: "/inbox" };
}

/** Looks for conditions and sends what changed. Never throws, since nothing else may depend on it. */
export async function watchAlerts(): Promise<void> {
  try {
    await requireCurrentSchema();
    await lookForAlerts(database());
    await sendAlerts(database());
  } catch (error) {
    // Without the database nothing can be stored or compared, which /readyz reports.
    if (isDatabaseUnavailable(error)) log().debug({ error }, "alerts were not checked");
    else log().error({ error }, "alerts could not be checked or sent");
  }
}

/** Even where no process runs between requests, an open console thus notices a finalizer that stopped. */
export async function watchAlertsSometimes(): Promise<void> {
  const last = single("alerts looked for", () => ({ at: Number.NEGATIVE_INFINITY }));
  if (performance.now() - last.at < LOOK_EVERY_SECONDS * 1000) return;
  last.at = performance.now();
  await watchAlerts();
}

/** Delay before the first look, so that the finalizer has run. */
const FIRST_LOOK_MS = 5_000;

/** Looks in each host, with and without a finalizer. `stop` waits for the current look. */
export const startAlertTimer = () =>
  startWorkLoop({
    firstMs: FIRST_LOOK_MS,
    everyMs: LOOK_EVERY_SECONDS * 1000,
    work: watchAlerts,
    failure: "alerts could not be looked for",
  });
