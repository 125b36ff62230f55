import { createHash, timingSafeEqual } from "node:crypto";
import { DomainError } from "../values/problems";

/**
 * Lets pass who sends the secret as a bearer token, in constant time.
 * @param name what the secret is called in the reply
 * @throws DomainError `missing_token`, `invalid_token`
 */
export function checkBearerSecret(
  authorization: string | null,
  expected: string | undefined,
  name: string,
): void {
  const headers = { "WWW-Authenticate": "Bearer" };
  if (!authorization)
    throw new DomainError("missing_token", `Send the ${name} as a bearer token.`, { headers });
  const given = /^Bearer +(\S+)$/i.exec(authorization)?.[1] ?? "";
  if (!expected || !timingSafeEqual(hash(given), hash(expected)))
    throw new DomainError("invalid_token", `This is not the ${name}.`, { headers });
}

const hash = (text: string) => createHash("sha256").update(text).digest();
