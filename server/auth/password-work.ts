import { createHash } from "node:crypto";
import type { Database } from "@/db/client";
import { single } from "../kernel/single";
import { DomainError } from "../kernel/values/problems";
import { countFailure } from "./rate-limit";

/** Passwords hashed or checked at once: each takes 128 MiB, and anybody may ask for one. */
const AT_ONCE_MAX = 4;

/** Hashes or checks a password when there is room for it. @throws DomainError `rate_limited` at once when there is none */
export async function boundedPasswordWork<T>(work: () => Promise<T>): Promise<T> {
  const room = single("password-work", () => ({ underWay: 0 }));
  if (room.underWay >= AT_ONCE_MAX) {
    throw new DomainError(
      "rate_limited",
      "Many passwords are checked at this moment; try again in a few seconds.",
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
  /** The network address that the try came from. */
  client: string;
  email?: string;
}

/**
 * Lets somebody try something that only who knows a secret can do; of the tries only failures count, per client address
 * and per e-mail, in windows of PASSWORD_FAILURES_WINDOW_SECONDS.
 * @param attempt gives null when the secret is wrong; what it throws is no failure of the caller
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

/** E-mails are counted whether or not they are known here, and stay out of the table of counts. */
const hashOf = (email: string) => createHash("sha256").update(email.toLowerCase()).digest("base64url");
