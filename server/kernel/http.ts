import { createHash, timingSafeEqual } from "node:crypto";
import ipaddr from "ipaddr.js";
import { settings } from "@/server/kernel/settings";
import { invalid } from "@/server/kernel/to-domain-error";
import { DomainError, toProblem } from "@/terms/problems";

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

/** The groups of a /64. A single subscriber has a whole one, so limits per IPv6 address would have no effect. */
const NETWORK_GROUPS = 4;

/** As seen by the outermost trusted proxy, or the socket's peer. IPv6 addresses are reduced to their /64 network. */
export function clientAddress(
  forwardedFor: string | null,
  peer: string | undefined,
  trustedHops: number,
): string {
  const hops = [...(forwardedFor?.split(",").map((part) => part.trim()) ?? []), peer ?? "unknown"];
  const seen = hops[Math.max(0, hops.length - 1 - trustedHops)]!;
  return toNetwork(seen.slice(0, 64));
}

/** The same behind our own host or a platform, which set `X-Forwarded-For` to one address or append the one they saw. */
export const pageClientAddress = (forwardedFor: string | null, trustedHops: number): string =>
  clientAddress(forwardedFor, forwardedFor?.split(",").at(-1)?.trim(), trustedHops);

function toNetwork(address: string): string {
  const [bare = ""] = address.replace(/^\[|\].*$/g, "").split("%");
  if (!ipaddr.IPv6.isValid(bare)) return address;
  const ip = ipaddr.IPv6.parse(bare);
  if (ip.isIPv4MappedAddress()) return ip.toIPv4Address().toString();
  const network = ip.parts.slice(0, NETWORK_GROUPS).map((group) => group.toString(16));
  return `${network.join(":")}::/64`;
}

/** A client's address cut to the /24 or /48 network it is in. @param address as `clientAddress` returns it */
export function cutToNetwork(address: string): string {
  const [bare = ""] = address.split("/");
  if (ipaddr.IPv4.isValidFourPartDecimal(bare)) return bare.replace(/\d+$/, "0/24");
  if (!ipaddr.IPv6.isValid(bare)) return "unknown";
  const network = ipaddr.IPv6.parse(bare).parts.slice(0, 3);
  return `${network.map((group) => group.toString(16)).join(":")}::/48`;
}

/** Folds the slashes of a path below `/v1`, since configured base URLs often end in one. Other paths stay as they are. */
export function foldSlashes(target: string): string {
  if (!/^\/+v1(?:[/?]|$)/.test(target)) return target;
  const [path = "", ...query] = target.split("?");
  return [path.replaceAll(/\/{2,}/g, "/"), ...query].join("?");
}

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

export const pathNotFound = () => new DomainError("not_found", "This path does not exist.");

/** @param allowed such as `GET, HEAD` */
export const methodNotAllowed = (allowed: string) =>
  new DomainError("method_not_allowed", `Allowed methods: ${allowed}.`, { headers: { Allow: allowed } });

export const bodyTooLarge = (bytesMax: number, headers: Record<string, string> = {}) =>
  new DomainError("body_too_large", `The body is larger than ${bytesMax} bytes.`, { headers });

/** Drops a byte-order mark, which .NET writes before the body, and which RFC 8259 lets a reader ignore. */
const UTF8 = new TextDecoder("utf-8", { fatal: true });

/** Far more than a sign-in needs. A caller could stall all others with a larger body: one of 60,000 keys takes 0.2 s of CPU. */
const STRANGERS_BYTES_MAX = 16_384;

/** The largest body that is read. @param isStranger a caller without a valid token or session */
export const bodyBytesMax = (isStranger: boolean): number =>
  Math.min(settings().BODY_BYTES_MAX, isStranger ? STRANGERS_BYTES_MAX : Number.POSITIVE_INFINITY);

/** Reads a JSON object. @throws DomainError `unsupported_media_type`, `body_too_large`, `invalid_json` */
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

/** Whether a header was sent more than once, or may have been. Proxies, and every `Headers`, join repeated ones with commas. */
export function mayBeRepeated({ headers, timesSent }: RestRequest, name: string): boolean {
  const parts = headers.get(name)?.split(/, */) ?? [];
  const isJoined = timesSent === undefined || new Set(parts).size === 1;
  return (parts.length > 1 && isJoined) || (timesSent?.(name) ?? 0) > 1;
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
  if (typeof value !== "object" || value === null || Array.isArray(value))
    throw new DomainError("invalid_json", "The body must be a JSON object.");
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

/** The parts of a `Request` that the API reads. The host's server does not use `Request`, whose URL resolves dots. */
export interface RestRequest {
  /** Absolute, with path and query exactly as they came. */
  readonly url: string;
  readonly method: string;
  /** Repeated headers are joined with `, `. */
  readonly headers: { get(name: string): string | null };
  /** How often a header was sent; absent where they are joined before they arrive. */
  readonly timesSent?: (header: string) => number;
  /** Can be read once; null without a body. */
  readonly body: AsyncIterable<Uint8Array> | null;
  /** The socket's peer address, where it is known. */
  readonly peer?: string | undefined;
  readonly isGone: () => boolean;
  /** Calls `run` when that happens. Not an `AbortSignal`, which costs more: "submit 10 at 16" in docs/benchmarks.md. */
  readonly onGone: (run: () => void) => void;
}

/** Whether a page of this console sent the request, according to `Origin` or, if it is absent, `Sec-Fetch-Site`. */
export function isSameOrigin(request: Request): boolean {
  const origin = request.headers.get("origin");
  if (!origin) return request.headers.get("sec-fetch-site") === "same-origin";
  return isOwnOrigin(origin, request);
}

/** Whether a browser reports another origin. Weaker than `isSameOrigin`: for sign-in, which also has a CSRF token. */
export function isForeignOrigin(request: Request): boolean {
  const origin = request.headers.get("origin");
  if (origin) return !isOwnOrigin(origin, request);
  const site = request.headers.get("sec-fetch-site");
  return site === "cross-site" || site === "same-site";
}

function isOwnOrigin(origin: string, request: Request): boolean {
  if (!URL.canParse(origin)) return false;
  const { PUBLIC_URL } = settings();
  if (PUBLIC_URL && new URL(PUBLIC_URL).origin === origin) return true;
  const host = request.headers.get("x-forwarded-host") ?? request.headers.get("host");
  return new URL(origin).host === host;
}

/** The page to open after signing in or out: a URL in this console, otherwise its start page. Never throws. */
export function consoleUrl(wanted: string, base: string): string {
  const target = URL.canParse(wanted, base) ? new URL(wanted, base) : null;
  const isOwn = target?.origin === new URL(base).origin && !target.pathname.startsWith("//");
  return isOwn ? target.href : base;
}

/** A complete reply. Not a `Response`, whose stream costs more than most requests: "submit 10 at 16" in docs/benchmarks.md. */
export interface RestReply {
  status: number;
  /** Names are always written in the same case. Not `Headers`, which validates and copies everything. */
  headers: Map<string, string>;
  body: string | null;
}

export const toResponse = ({ status, headers, body }: RestReply): Response =>
  new Response(body, { status, headers: [...headers] });

/** A JSON reply. Replies to GET have an `ETag` and are 304 when it matches `If-None-Match` (RFC 9110, 13.1.2). */
export function replyWith(
  request: RestRequest,
  status: number,
  value: unknown,
  type: string,
  headers: Map<string, string>,
): RestReply {
  const body = JSON.stringify(value);
  const reads = request.method === "GET" || request.method === "HEAD";
  if (reads && status === 200) {
    const etag = `"${createHash("sha256").update(body).digest("base64url").slice(0, 27)}"`;
    headers.set("ETag", etag);
    if (names(request.headers.get("if-none-match"), etag)) return { status: 304, headers, body: null };
  }
  headers.set("Content-Type", type);
  headers.set("Content-Length", String(Buffer.byteLength(body)));
  return { status, headers, body: request.method === "HEAD" ? null : body };
}

/** Weak comparison, since compressing proxies weaken ETags. */
function names(ifNoneMatch: string | null, etag: string): boolean {
  if (ifNoneMatch === null) return false;
  if (ifNoneMatch.trim() === "*") return true;
  return ifNoneMatch.match(/"[\x21\x23-\x7e\x80-\xff]*"/g)?.includes(etag) ?? false;
}
