import { settings } from "../settings";
import { DomainError } from "../values/problems";
import { bodyTooLarge } from "./problem-reply";
import type { RestRequest } from "./rest-request";

/** Drops a byte-order mark, which .NET writes before the body, and which RFC 8259 lets a reader ignore. */
const UTF8 = new TextDecoder("utf-8", { fatal: true });

/** Far more than a sign-in needs. A caller could stall all others with a larger body: one of 60,000 keys takes 0.2 s of CPU. */
const STRANGERS_BYTES_MAX = 16_384;

/** The largest body that is read. @param isStranger a caller without a valid token or session */
export const bodyBytesMax = (isStranger: boolean): number =>
  Math.min(settings().BODY_BYTES_MAX, isStranger ? STRANGERS_BYTES_MAX : Number.POSITIVE_INFINITY);

/**
 * Reads a JSON object of at most `bytesMax` bytes.
 * @throws DomainError `unsupported_media_type`, `body_too_large`, `invalid_json`
 */
export async function readJsonObject(request: RestRequest, bytesMax: number): Promise<JsonObject> {
  checkMediaType(request.headers);
  const tooLarge = () => bodyTooLarge(bytesMax, { Connection: "close" });
  return parseObject(await readBytes(request, bytesMax, tooLarge));
}

/** Enough for `{}` with white space around it. */
const EMPTY_BODY_BYTES_MAX = 64;

/** Real clients send GET and DELETE with a JSON content type and no body, or with `{}`. Anything else is refused. */
export async function refuseBody(request: RestRequest): Promise<void> {
  if (!request.body) return;
  const notEmpty = () =>
    new DomainError("validation_failed", "This operation does not accept a body.", {
      headers: { Connection: "close" },
    });
  const bytes = await readBytes(request, EMPTY_BODY_BYTES_MAX, notEmpty);
  if (!/^\s*(?:\{\s*\})?\s*$/.test(new TextDecoder().decode(bytes))) throw notEmpty();
}

function checkMediaType(headers: RestRequest["headers"]): void {
  const [type = "", ...parameters] = (headers.get("content-type") ?? "")
    .split(";")
    .map((part) => part.trim().toLowerCase());
  const charset = parameters
    .find((parameter) => parameter.startsWith("charset="))
    ?.slice(8)
    .replaceAll('"', "");
  const encoding = headers.get("content-encoding")?.trim().toLowerCase();
  if (type !== "application/json" || (charset !== undefined && charset !== "utf-8" && charset !== "utf8")) {
    throw new DomainError("unsupported_media_type", "The body must be application/json in UTF-8.");
  }
  if (encoding && encoding !== "identity") {
    throw new DomainError("unsupported_media_type", "The body must not be compressed.", {
      headers: { "Accept-Encoding": "identity" },
    });
  }
}

/** Reads a body of at most `bytesMax` bytes and stops at the limit. @throws the error that `tooLarge` returns */
export async function readBytes(
  request: Pick<RestRequest, "headers" | "body">,
  bytesMax: number,
  tooLarge: () => DomainError,
): Promise<Uint8Array> {
  if (Number(request.headers.get("content-length") ?? 0) > bytesMax) throw tooLarge();
  const chunks: Uint8Array[] = [];
  let size = 0;
  if (request.body) {
    for await (const chunk of request.body) {
      size += chunk.byteLength;
      if (size > bytesMax) throw tooLarge();
      chunks.push(chunk);
    }
  }
  return chunks.length === 1 ? chunks[0]! : Buffer.concat(chunks);
}

interface JsonObject {
  value: Record<string, unknown>;
  /** Number of colons in the text: at least the number of keys. Cheaper, for "submit 2000 at 16, lower" in docs/benchmarks.md. */
  colons: number;
  /** Number of colons outside strings: exactly one per key. */
  keyColons: () => number;
}

function parseObject(bytes: Uint8Array): JsonObject {
  let value: unknown;
  try {
    value = JSON.parse(UTF8.decode(bytes));
  } catch {
    throw new DomainError("invalid_json", "The body is not a single JSON document in UTF-8.");
  }
  if (typeof value !== "object" || value === null || Array.isArray(value)) {
    throw new DomainError("invalid_json", "The body must be a JSON object.");
  }
  return {
    value: value as Record<string, unknown>,
    colons: countColons(bytes),
    keyColons: () => countKeyColons(bytes),
  };
}

const [QUOTE, COLON, BACKSLASH] = [0x22, 0x3a, 0x5c];

/** For valid JSON. A regular expression that skips strings overflows the stack on a long one. */
function countKeyColons(bytes: Uint8Array): number {
  let count = 0;
  let inString = false;
  for (let at = 0; at < bytes.length; at++) {
    const byte = bytes[at];
    if (byte === QUOTE) inString = !inString;
    else if (byte === BACKSLASH) at++;
    else if (byte === COLON && !inString) count++;
  }
  return count;
}

function countColons(bytes: Uint8Array): number {
  let count = 0;
  for (let at = bytes.indexOf(COLON); at !== -1; at = bytes.indexOf(COLON, at + 1)) count++;
  return count;
}
