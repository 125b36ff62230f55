import { createHash, randomBytes } from "node:crypto";
import { DomainError } from "../kernel/values/problems";

/** Lifetime of a link to set a password. */
export const LINK_HOURS = 72;

/** Lifetime of a link that somebody asked for on the sign-in page. */
export const RESET_MINUTES = 60;

/** The secret of a link: 256 random bits. */
export const makeLinkToken = () => randomBytes(32).toString("base64url");

/** Only the hash of the secret is stored. */
export const hashLinkToken = (token: string) => createHash("sha256").update(token).digest();

export const linkEnded = () =>
  new DomainError(
    "validation_failed",
    "This link has expired or was already used. Links work once and for a limited time. Ask an admin for a new one.",
  );
