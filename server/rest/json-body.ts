import { bodyTooLarge } from "@/server/kernel/problem-reply";
import { readBytes } from "@/server/kernel/read-body";
import { invalid } from "@/server/kernel/to-domain-error";
import { DomainError } from "@/terms/problems";
import type { RestRequest } from "./messages";

/** Reads a JSON object. @throws DomainError `unsupported_media_type`, `body_too_large`, `invalid_json` */
export async function readJsonObject(request: RestRequest, bytesMax: number): Promise<JsonObject> {
  checkMediaType(request.headers);
  const tooLarge = () => bodyTooLarge(bytesMax, { Connection: "close" });
  const bytes = await readBytes(request, bytesMax, tooLarge);
  return {
    value: parseObject(bytes),
    colons: countColons(bytes),
    keyColons: () => countKeyColons(bytes),
  };
}

/** Enough for `{}` with white space around it. */
const EMPTY_BODY_BYTES_MAX = 64;

/** Allows only `{}` and white space, which real clients send with GET and DELETE as `application/json`. */
export async function refuseBody(request: RestRequest): Promise<void> {
  if (!request.body) return;
  const notEmpty = () =>
    invalid("This operation does not accept a body.", { headers: { Connection: "close" } });
  const bytes = await readBytes(request, EMPTY_BODY_BYTES_MAX, notEmpty);
  if (!/^\s*(?:\{\s*\})?\s*$/.test(new TextDecoder().decode(bytes))) throw notEmpty();
}

function checkMediaType(headers: RestRequest["headers"]): void {
  const given = headers.get("content-type") ?? "";
  const [type = "", ...parameters] = given.split(";").map((part) => part.trim().toLowerCase());
  const charset = parameters
    .find((parameter) => parameter.startsWith("charset="))
    ?.slice(8)
    .replaceAll('"', "");
  const encoding = headers.get("content-encoding")?.trim().toLowerCase();
  // Outside quotes, a comma joins two headers.
  const isRepeated = given.replaceAll(/"[^"]*"/g, "").includes(",");
  const isUtf8 = charset === undefined || charset === "utf-8" || charset === "utf8";
  if (type !== "application/json" || !isUtf8 || isRepeated)
    throw new DomainError("unsupported_media_type", "Send `Content-Type: application/json`, in UTF-8.");
  if (encoding && encoding !== "identity")
    throw new DomainError("unsupported_media_type", "The body must not be compressed.", {
      headers: { "Accept-Encoding": "identity" },
    });
}

/** Drops a byte-order mark, which .NET writes before the body, and which RFC 8259 lets a reader ignore. */
const UTF8 = new TextDecoder("utf-8", { fatal: true });

interface JsonObject {
  value: Record<string, unknown>;
  /** Colons in the text: at least one per key. Cheaper: "submit 2000 at 16, lower" in docs/benchmarks.md. */
  colons: number;
  /** Colons outside strings: exactly one per key. */
  keyColons: () => number;
}

/** @throws DomainError `invalid_json` */
export function parseObject(bytes: Uint8Array): Record<string, unknown> {
  let value: unknown;
  try {
    value = JSON.parse(UTF8.decode(bytes));
  } catch {
    throw new DomainError("invalid_json", "The body is not a single JSON document in UTF-8.");
  }
  if (typeof value !== "object" || value === null || Array.isArray(value))
    throw new DomainError("invalid_json", "The body must be a JSON object.");
  return value as Record<string, unknown>;
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
