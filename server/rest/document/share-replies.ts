import type { OperationObject, Reply } from "./complete-operation";

/** Component names by status. */
const NAMES: Record<string, string> = {
  304: "NotModified",
  400: "BadRequest",
  401: "Unauthorized",
  403: "Forbidden",
  404: "NotFound",
  409: "Conflict",
  413: "ContentTooLarge",
  415: "UnsupportedMediaType",
  422: "UnprocessableContent",
  429: "TooManyRequests",
  500: "InternalServerError",
  503: "ServiceUnavailable",
};

/**
 * Replaces the most common reply of each status by a reference, where several operations have it.
 * @returns the replies that became components, by name
 */
export function shareReplies(operations: OperationObject[]): Record<string, Reply> {
  const shared: Record<string, Reply> = {};
  for (const [status, name] of Object.entries(NAMES)) {
    const holders = new Map<string, OperationObject["responses"][]>();
    for (const { responses } of operations) {
      const reply = JSON.stringify(responses[status]);
      if (reply) holders.set(reply, [...(holders.get(reply) ?? []), responses]);
    }
    const [most] = [...holders.values()].sort((one, other) => other.length - one.length);
    if (!most || most.length < 2) continue;
    shared[name] = most[0]![status]!;
    for (const responses of most) responses[status] = { $ref: `#/components/responses/${name}` };
  }
  return shared;
}
