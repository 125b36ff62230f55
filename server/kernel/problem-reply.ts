import { DomainError, toProblem } from "@/terms/problems";

export function problemReply(error: DomainError, requestId: string): Response {
  const problem = toProblem(error, requestId);
  return new Response(JSON.stringify(problem), {
    status: problem.status,
    headers: {
      "Cache-Control": "no-store",
      "X-Request-Id": requestId,
      ...error.options.headers,
      "Content-Type": "application/problem+json",
    },
  });
}

export const pathNotFound = (existsWithoutSlash = false) =>
  new DomainError(
    "not_found",
    `This path does not exist${existsWithoutSlash ? ", but it does without the slash at its end" : ""}.`,
  );

/** The reply to a call of the API outside `/v1`. */
export const versionMissing = (requestId: string): Response =>
  problemReply(
    new DomainError(
      "not_found",
      "This path does not exist. API paths begin with /v1. Check that your program's base URL includes it.",
    ),
    requestId,
  );

/** @param allowed such as `GET, HEAD` */
export const methodNotAllowed = (allowed: string) =>
  new DomainError("method_not_allowed", `Allowed methods: ${allowed}.`, { headers: { Allow: allowed } });

export const bodyTooLarge = (bytesMax: number, headers: Record<string, string> = {}) =>
  new DomainError("body_too_large", `The body is larger than ${bytesMax} bytes.`, { headers });
