import { createHash } from "node:crypto";
import type { Database } from "@/db/client";
import { processMetrics } from "../kernel/metrics/process-metrics";
import { rateLimited } from "../kernel/retry-later";
import { settings } from "../kernel/settings";
import type { SlotClaim } from "./password-slots";

/** Where an attempt that requires a secret comes from. */
export interface Tried {
  /** The client's IP address. */
  client: string;
  email?: string;
  /** A device that signed in as this person before, or `OWN_SESSION`. Strangers' attempts do not slow it down. */
  device?: string | null;
}

/** The device of a person who is signed in. */
export const OWN_SESSION = "own-session";

interface Count {
  policy: "password-client" | "password-email";
  key: string;
  /** Failures that are free. After them, one more every `intervalMs`. */
  free: number;
  intervalMs: number;
}

/**
 * Runs an attempt that requires a secret. Only failures count: per email and address (or device), and per address. After
 * the free ones, attempts are slowed down to the same rate, so a correct password is never locked out for long.
 * @param attempt returns null when the secret is wrong; an exception does not count as a failure
 * @throws DomainError `rate_limited` with `Retry-After`; the attempt is then neither made nor counted
 */
export async function limitedTry<T>(
  db: Database,
  tried: Tried,
  attempt: () => Promise<T | null>,
): Promise<T | null> {
  const counts = countsOf(tried);
  await addFailure(db, counts);
  let failed = false;
  try {
    const outcome = await attempt();
    failed = outcome === null;
    return outcome;
  } finally {
    if (!failed) await takeBack(db, counts);
  }
}

/** The same attempt, as password slots count it. */
export function slotClaimOf({ client, email, device }: Tried): SlotClaim {
  if (device) return { sources: [`${device}:${email}`], isKnown: true };
  return { sources: [client, ...(email ? [email.toLowerCase()] : [])], isKnown: false };
}

function countsOf({ client, email, device }: Tried): Count[] {
  const settled = settings();
  const windowMs = settled.PASSWORD_FAILURES_WINDOW_SECONDS * 1000;
  const count = (policy: Count["policy"], free: number, source: string): Count[] =>
    free === 0 ? [] : [{ policy, key: `${policy}:${source}`, free, intervalMs: Math.ceil(windowMs / free) }];
  const ofAddress = count("password-client", settled.PASSWORD_FAILURES_PER_CLIENT, client);
  if (email === undefined) return ofAddress;
  const pair = hashOf(`${email.toLowerCase()}\n${device ?? client}`);
  const ofPair = count("password-email", settled.PASSWORD_FAILURES_PER_EMAIL, pair);
  return device ? ofPair : [...ofPair, ...ofAddress];
}

/** Emails are counted whether or not they are known. Only hashes are stored in the table of counts. */
const hashOf = (text: string) => createHash("sha256").update(text).digest("base64url");

const columns = (counts: readonly Count[]) =>
  [
    counts.map(({ key }) => key),
    counts.map(({ free }) => free),
    counts.map(({ intervalMs }) => intervalMs),
  ] as const;

/**
 * Counts an attempt as failed before its outcome is known, so that concurrent attempts cannot exceed the limit together.
 * `expire` is when all failures are forgotten, in milliseconds since 1970 by the database's clock. Each failure adds an
 * interval, so there are no fixed windows. Rows are written in key order, to prevent deadlocks.
 */
async function addFailure(db: Database, counts: readonly Count[]): Promise<void> {
  if (counts.length === 0) return;
  const [keys, frees, intervals] = columns(counts);
  const now = db.sql`(extract(epoch from now()) * 1000)::bigint`;
  const added = await db.sql<{ key: string }[]>`
    insert into rate_limits as r (key, points, expire)
    select key, free, ${now} + interval_ms
    from unnest(${keys}::text[], ${frees}::int[], ${intervals}::int[]) as a (key, free, interval_ms) order by key
    on conflict (key) do update set
      points = excluded.points, expire = greatest(r.expire, ${now}) + (excluded.expire - ${now})
    where r.expire - ${now} <= (excluded.points - 1) * (excluded.expire - ${now})
    returning key`;
  if (added.length === counts.length) return;
  const isAdded = ({ key }: Count) => added.some((row) => row.key === key);
  await takeBack(db, counts.filter(isAdded));
  const refused = counts.filter((count) => !isAdded(count));
  for (const { policy } of refused) processMetrics()?.rateLimited.inc({ policy });
  throw rateLimited("Too many failed attempts.", await secondsLeft(db, refused));
}

async function secondsLeft(db: Database, counts: readonly Count[]): Promise<number> {
  const [keys, frees, intervals] = columns(counts);
  const [left] = await db.sql<[{ seconds: number }]>`
    select greatest(1, ceil(max(
      expire - extract(epoch from now()) * 1000 - (free - 1) * interval_ms::bigint) / 1000))::int as seconds
    from rate_limits join unnest(${keys}::text[], ${frees}::int[], ${intervals}::int[]) as a (key, free, interval_ms)
      using (key)`;
  return left.seconds;
}

async function takeBack(db: Database, counts: readonly Count[]): Promise<void> {
  if (counts.length === 0) return;
  const [keys, , intervals] = columns(counts);
  await db.sql`
    with paid as (
      select r.key, interval_ms
      from rate_limits r join unnest(${keys}::text[], ${intervals}::int[]) as a (key, interval_ms) using (key)
      order by r.key for update of r
    )
    update rate_limits r set expire = r.expire - paid.interval_ms from paid where r.key = paid.key`;
}
