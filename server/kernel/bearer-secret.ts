import { createHash, timingSafeEqual } from "node:crypto";
import { DomainError } from "@/terms/problems";

/** The token of an `Authorization` header; null unless it is `Bearer <token>`. */
export const bearerToken = (authorization: string | null): string | null =>
  /^Bearer +(\S+)$/i.exec(authorization ?? "")?.[1] ?? null;

/** @param name what error messages call the secret @throws DomainError `missing_token`, `invalid_token` */
export function checkBearerSecret(
  authorization: string | null,
  expected: string | undefined,
  name: string,
): void {
  const headers = { "WWW-Authenticate": "Bearer" };
  if (bearerToken(authorization) === null)
    throw new DomainError(
      authorization ? "invalid_token" : "missing_token",
      `Send the ${name} as \`Authorization: Bearer <token>\`.`,
      { headers },
    );
  if (!hasBearerSecret(authorization, expected))
    throw new DomainError("invalid_token", `The token does not match the ${name}.`, { headers });
}

/** Whether a header has the secret as a bearer token, compared in constant time. */
export function hasBearerSecret(authorization: string | null, expected: string | undefined): boolean {
  const given = bearerToken(authorization) ?? "";
  return expected !== undefined && timingSafeEqual(hash(given), hash(expected));
}

const hash = (text: string) => createHash("sha256").update(text).digest();
