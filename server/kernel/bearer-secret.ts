import { createHash, timingSafeEqual } from "node:crypto";
import { DomainError } from "@/terms/problems";

/** @param name what error messages call the secret @throws DomainError `missing_token`, `invalid_token` */
export function checkBearerSecret(
  authorization: string | null,
  expected: string | undefined,
  name: string,
): void {
  const headers = { "WWW-Authenticate": "Bearer" };
  if (!authorization)
    throw new DomainError("missing_token", `Send the ${name} as \`Authorization: Bearer <token>\`.`, {
      headers,
    });
  if (!hasBearerSecret(authorization, expected))
    throw new DomainError("invalid_token", `The token does not match the ${name}.`, { headers });
}

/** Whether a header has the secret as a bearer token, compared in constant time. */
export function hasBearerSecret(authorization: string | null, expected: string | undefined): boolean {
  const given = /^Bearer +(\S+)$/i.exec(authorization ?? "")?.[1] ?? "";
  return expected !== undefined && timingSafeEqual(hash(given), hash(expected));
}

const hash = (text: string) => createHash("sha256").update(text).digest();
