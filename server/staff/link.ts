import { createHash, randomBytes } from "node:crypto";
import { DomainError } from "../kernel/values/problems";

/** How long the link works by which a person chooses a password. */
export const LINK_HOURS = 72;

/** The secret of a link; 256 random bits. */
export const makeLinkToken = () => randomBytes(32).toString("base64url");

/** What is stored of it. */
export const hashLinkToken = (token: string) => createHash("sha256").update(token).digest();

export const linkEnded = () =>
  new DomainError(
    "validation_failed",
    `This link has ended: each works once, for ${LINK_HOURS} hours. Ask an admin for a new one.`,
  );
