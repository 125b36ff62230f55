import type { RestRequest } from "@/server/kernel/http";
import { settings } from "../kernel/settings";

const REQUEST_HEADERS = "Authorization, Content-Type, If-None-Match, X-Request-Id";
const REPLY_HEADERS =
  "Allow, Date, ETag, Idempotent-Replayed, RateLimit, RateLimit-Policy, Retry-After, WWW-Authenticate, X-Request-Id";
const PREFLIGHT_SECONDS = 600;

/** Lets pages from the allowed origins read a reply. Without `CORS_ORIGINS` no header is sent, and browsers block the read. */
export function addCorsHeaders(request: RestRequest, replyHeaders: Map<string, string>): void {
  const { CORS_ORIGINS } = settings();
  if (!CORS_ORIGINS) return;
  replyHeaders.set("Vary", "Origin");
  const origin = request.headers.get("origin");
  if (origin === null || !CORS_ORIGINS.includes(origin)) return;
  replyHeaders.set("Access-Control-Allow-Origin", origin);
  replyHeaders.set("Access-Control-Expose-Headers", REPLY_HEADERS);
}

/** The reply to a browser's preflight request: the allowed methods and headers. */
export function addPreflightHeaders(allowed: string, replyHeaders: Map<string, string>): void {
  if (!replyHeaders.has("Access-Control-Allow-Origin")) return;
  replyHeaders.set("Access-Control-Allow-Methods", allowed);
  replyHeaders.set("Access-Control-Allow-Headers", REQUEST_HEADERS);
  replyHeaders.set("Access-Control-Max-Age", String(PREFLIGHT_SECONDS));
}
