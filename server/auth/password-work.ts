import { createHash } from "node:crypto";
import type { Database } from "@/db/client";
import { single } from "../kernel/single";
import { DomainError } from "../kernel/values/problems";
import { countFailure } from "./rate-limit";

/** Maximum passwords hashed at the same time. Each takes 128 MiB, and anyone can request one. */
const AT_ONCE_MAX = 4;

/** Hashes or checks a password if there is capacity. @throws DomainError `rate_limited` immediately if there is not */
export async function boundedPasswordWork<T>(work: () => Promise<T>): Promise<T> {
  const room = single("password-work", () => ({ underWay: 0 }));
  if (room.underWay >= AT_ONCE_MAX) {
    throw new DomainError(
      "rate_limited",
      "Too many sign-in attempts at the same time. Retry in a few seconds.",
    );
  }
  room.underWay++;
  try {
    return await work();
  } finally {
    room.underWay--;
  }
}

interface Tried {
  /** The client's IP address. */
  client: string;
  email?: string;
}

/**
 * Runs an attempt that requires a secret. Only failures count, per client IP address and per email, in windows of
 * PASSWORD_FAILURES_WINDOW_SECONDS.
 * @param attempt returns null when the secret is wrong; an exception does not count as a failure
 * @throws DomainError `rate_limited` with `Retry-After`
 */
export async function limitedTry<T>(
  db: Database,
  tried: Tried,
  attempt: () => Promise<T | null>,
): Promise<T | null> {
  const takeBack = [await countFailure(db, "password-client", tried.client)];
  if (tried.email !== undefined) takeBack.push(await countFailure(db, "password-email", hashOf(tried.email)));
  let failed = false;
  try {
    const outcome = await attempt();
    failed = outcome === null;
    return outcome;
  } finally {
    if (!failed) await Promise.all(takeBack.map((undo) => undo()));
  }
}

/** Emails are counted whether or not they are known. Only hashes are stored in the table of counts. */
const hashOf = (email: string) => createHash("sha256").update(email.toLowerCase()).digest("base64url");
