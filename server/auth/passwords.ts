import { createHash, randomBytes, type ScryptOptions, scrypt, timingSafeEqual } from "node:crypto";
import { dictionary } from "@zxcvbn-ts/language-common";
import type { Database } from "@/db/client";
import { baseOf } from "@/db/on-errand";
import { PASSWORD_LENGTH_MAX } from "@/server/kernel/context";
import { processMetrics } from "@/server/kernel/metrics/process-metrics";
import { single } from "@/server/kernel/process";
import { rateLimited } from "@/server/kernel/retry-after";
import { settings } from "@/server/kernel/settings";
import { invalidField } from "@/server/kernel/to-domain-error";
import { Turns } from "@/server/kernel/turns";
import { DomainError } from "@/terms/problems";
import { findStaff, noteSignIn } from "./sessions";

/** Maximum passwords hashed at the same time. Each takes 128 MiB, and anyone can request one. */
const AT_ONCE_MAX = 4;
/** New devices can take three of these, so that strangers do not keep people waiting who signed in before. */
const NEW_DEVICES_MAX = 3;
/** One person, address or device cannot take more, however often it asks. */
const PER_SOURCE_MAX = 2;
const WAIT_MS_MAX = 1000;
const WAITING_MAX = 100;
const WAITING_PER_SOURCE_MAX = 10;

export interface SlotClaim {
  /** The person, the client's address, or the device. */
  sources: readonly string[];
  /** Whether the device has signed in before. */
  isKnown: boolean;
}

const ofSource = (claims: readonly SlotClaim[], source: string) =>
  claims.filter(({ sources }) => sources.includes(source)).length;

const slots = () =>
  single(
    "password-slots",
    () =>
      new Turns<SlotClaim>({
        fits: (running, { sources, isKnown }) =>
          running.length < (isKnown ? AT_ONCE_MAX : NEW_DEVICES_MAX) &&
          sources.every((source) => ofSource(running, source) < PER_SOURCE_MAX),
        mayWait: (waiting, { sources, isKnown }) =>
          (isKnown || waiting.length < WAITING_MAX) &&
          sources.every((source) => ofSource(waiting, source) < WAITING_PER_SOURCE_MAX),
        waitMsMax: WAIT_MS_MAX,
      }),
  );

/** Runs when there is capacity. @throws DomainError `rate_limited` when there is none within a second */
export const boundedPasswordWork = <T>(claim: SlotClaim, work: () => Promise<T>): Promise<T> =>
  slots().run(claim, work, busy);

const busy = () =>
  new DomainError("rate_limited", "Too many sign-in attempts at the same time. Retry in a few seconds.");

export interface Tried {
  client: string;
  email?: string;
  /** A device that signed in as this person before, or `OWN_SESSION`. Strangers do not slow it down. */
  device?: string | null;
}

export const OWN_SESSION = "own-session";

const WINDOW_MS = 600_000;
/** An office has one address and many people. */
const EMAILS_PER_CLIENT = 10;

interface Count {
  policy: "password-client" | "password-email";
  key: string;
  /** Failures that are free. After them, one more every `intervalMs`. */
  free: number;
  intervalMs: number;
}

/**
 * Runs an attempt that requires a secret. Only failures count: per email and address (or device), and per
 * address. After the free ones, attempts are slowed down, so a correct password is never locked out for long.
 * @param attempt returns null when the secret is wrong; an exception does not count as a failure
 * @throws DomainError `rate_limited` with `Retry-After`; the attempt is then neither made nor counted
 */
export async function limitedTry<T>(
  db: Database,
  tried: Tried,
  attempt: () => Promise<T | null>,
): Promise<T | null> {
  const counts = countsOf(tried);
  // None of the caller's change: that a count may be stored makes no outcome unknown.
  const counting = baseOf(db);
  await addFailure(counting, counts);
  let failed = false;
  try {
    const outcome = await attempt();
    failed = outcome === null;
    return outcome;
  } finally {
    if (!failed) await takeBack(counting, counts);
  }
}

/** The same attempt, as password slots count it. */
export function slotClaimOf({ client, email, device }: Tried): SlotClaim {
  if (device) return { sources: [`${device}:${email}`], isKnown: true };
  return { sources: [client, ...(email ? [email.toLowerCase()] : [])], isKnown: false };
}

function countsOf({ client, email, device }: Tried): Count[] {
  const perEmail = settings().PASSWORD_FAILURES_PER_EMAIL;
  const count = (policy: Count["policy"], free: number, source: string): Count[] =>
    free === 0 ? [] : [{ policy, key: `${policy}:${source}`, free, intervalMs: Math.ceil(WINDOW_MS / free) }];
  const ofAddress = count("password-client", perEmail * EMAILS_PER_CLIENT, client);
  if (email === undefined) return ofAddress;
  const pair = hashOf(`${email.toLowerCase()}\n${device ?? client}`);
  const ofPair = count("password-email", perEmail, pair);
  return device ? ofPair : [...ofPair, ...ofAddress];
}

/** Emails are counted whether or not they are known. Only hashes are stored in the table of counts. */
const hashOf = (text: string) => createHash("sha256").update(text).digest("base64url");

const rowsOf = ({ sql }: Database, counts: readonly Count[]) =>
  sql`jsonb_to_recordset(${JSON.stringify(counts)}::text::jsonb) as a (key text, free int, "intervalMs" int)`;

/**
 * Counts an attempt as failed before its outcome is known, so that concurrent attempts cannot exceed the
 * limit together. `expire` is when all failures are forgotten, in milliseconds since 1970 by the database's
 * clock. Each failure adds an interval, so there are no fixed windows. Key order prevents deadlocks.
 */
async function addFailure(db: Database, counts: readonly Count[]): Promise<void> {
  if (counts.length === 0) return;
  const now = db.sql`(extract(epoch from now()) * 1000)::bigint`;
  const added = await db.sql<{ key: string }[]>`
    insert into rate_limits as r (key, points, expire)
    select key, free, ${now} + "intervalMs" from ${rowsOf(db, counts)} order by key
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
  const [left] = await db.sql<[{ seconds: number }]>`
    select greatest(1, ceil(max(
      expire - extract(epoch from now()) * 1000 - (free - 1) * "intervalMs"::bigint) / 1000))::int as seconds
    from rate_limits join ${rowsOf(db, counts)} using (key)`;
  return left.seconds;
}

async function takeBack(db: Database, counts: readonly Count[]): Promise<void> {
  if (counts.length === 0) return;
  await db.sql`
    with paid as (
      select r.key, "intervalMs" from rate_limits r join ${rowsOf(db, counts)} using (key)
      order by r.key for update of r
    )
    update rate_limits r set expire = r.expire - "intervalMs" from paid where r.key = paid.key`;
}

/** Digits and symbols that people append to a word to make it longer. */
const APPENDED = /[\d\p{P}\p{S}\s]{1,4}$/u;

let known: Set<string> | undefined;
/** The list has 49,000 passwords, in lower case. */
const isListed = (word: string) => {
  known ??= new Set(dictionary["passwords-common"].map(String));
  return known.has(word);
};

/** A common one with up to four digits or symbols after it, a short part that repeats, or the email. */
export function isCommonPassword(password: string, email: string): boolean {
  const whole = password.normalize("NFKC").toLowerCase();
  const [name = ""] = email.toLowerCase().split("@");
  return [whole, whole.replace(APPENDED, "")].some((word) => {
    const part = repeatedPart(word);
    return (
      isListed(word) || word === email.toLowerCase() || word === name || part.length <= 2 || isListed(part)
    );
  });
}

/** `abc` of `abcabcabc`; the whole word if it does not repeat. */
function repeatedPart(word: string): string {
  const length = (word + word).indexOf(word, 1);
  return length > 0 ? word.slice(0, length) : word;
}

/** @throws DomainError `validation_failed` for a password that is easy to guess */
export function refuseCommonPassword(password: string, email: string, pointer = "/password"): void {
  if (!isCommonPassword(password, email)) return;
  const detail = "is easy to guess. Choose another one, such as four random words";
  throw invalidField(`This password ${detail}.`, pointer, detail);
}

/** OWASP's parameters for scrypt: N = 2¹⁷, r = 8, p = 1; 128 MiB per check. */
const COST = { N: 2 ** 17, r: 8, p: 1, maxmem: 256 * 1024 * 1024 } satisfies ScryptOptions;
const KEY_BYTES = 32;

const derive = (password: string, salt: Buffer, cost: ScryptOptions) =>
  new Promise<Buffer>((resolve, reject) => {
    scrypt(password.normalize("NFKC"), salt, KEY_BYTES, cost, (error, key) =>
      error ? reject(error) : resolve(key),
    );
  });

/** The stored form of a password: `scrypt$N$r$p$salt$key`, base64. */
export async function hashPassword(password: string): Promise<string> {
  const salt = randomBytes(16);
  const key = await derive(password, salt, COST);
  return ["scrypt", COST.N, COST.r, COST.p, salt.toString("base64"), key.toString("base64")].join("$");
}

/** Whether a password matches a stored hash. For an unknown user pass `null`; it takes just as long. */
export async function verifyPassword(password: string, stored: string | null): Promise<boolean> {
  const [, n, r, p, salt = "", key = ""] = (stored ?? "").split("$");
  if (!stored) {
    await derive(password, randomBytes(16), COST);
    return false;
  }
  const cost = { N: Number(n), r: Number(r), p: Number(p), maxmem: COST.maxmem };
  const expected = Buffer.from(key, "base64");
  const given = await derive(password, Buffer.from(salt, "base64"), cost);
  return expected.length === given.length && timingSafeEqual(expected, given);
}

/** Rejects control characters, which would otherwise cause an error in Postgres. */
const EMAIL = /^[^\s@\p{C}]+@[^\s@\p{C}]+$/u;
const EMAIL_LENGTH_MAX = 320;

type Credentials = Required<Tried> & { password: string };

/** Null when either is wrong. @throws DomainError `rate_limited` after too many wrong attempts */
export async function checkPassword(db: Database, { email, password, client, device }: Credentials) {
  const isPossible =
    EMAIL.test(email) && email.length <= EMAIL_LENGTH_MAX && password.length <= PASSWORD_LENGTH_MAX;
  if (!isPossible) return null;
  const tried = { client, email, device };
  const person = await limitedTry(db, tried, () =>
    boundedPasswordWork(slotClaimOf(tried), async () => {
      const known = await findStaff(db, email);
      return (await verifyPassword(password, known?.passwordHash ?? null)) ? known : null;
    }),
  );
  if (!person) return null;
  await noteSignIn(db, person.email);
  return { id: person.id, email: person.email, epoch: person.sessionEpoch };
}
