import { ClientError } from "./client-error.ts";

/** Node's error codes for connections that were never made. Browsers have none, so there every failure counts as sent. */
const NOT_SENT = new Set([
  "ECONNREFUSED",
  "ENOTFOUND",
  "EAI_AGAIN",
  "EHOSTUNREACH",
  "UND_ERR_CONNECT_TIMEOUT",
]);

/** No complete reply arrived, because the network failed or the time ran out. */
export class ConnectionFailure extends ClientError {
  override name = "ConnectionFailure";
  readonly reason: "network" | "timeout";
  /** Whether the request may have reached the service. */
  readonly maybeSent: boolean;

  constructor(reason: "network" | "timeout", detail: string, maybeSent = true) {
    super(detail);
    this.reason = reason;
    this.maybeSent = maybeSent;
  }
}

/**
 * Turns an error of `fetch` into a failure. It keeps the message but not the error itself, because a custom `fetch` may have
 * attached the request, and with it the token.
 */
export function toConnectionFailure(error: unknown, hide: (text: string) => string): ConnectionFailure {
  const messages: string[] = [];
  let maybeSent = true;
  for (let at = error, depth = 0; at instanceof Error && depth < 4; at = at.cause, depth++) {
    const code = (at as { code?: unknown }).code;
    if (typeof code === "string" && NOT_SENT.has(code)) maybeSent = false;
    const text = [typeof code === "string" ? code : "", at.message].filter(Boolean).join(" ");
    if (text) messages.push(text);
  }
  const reason = messages.length > 0 ? messages.join(": ") : String(error);
  return new ConnectionFailure("network", hide(`No reply: ${reason}`), maybeSent);
}
