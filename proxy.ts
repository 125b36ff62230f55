import { randomBytes, randomUUID } from "node:crypto";
import { type NextRequest, NextResponse } from "next/server";
import { contentPolicy } from "./app/content-policy";
import { dropUnreadableCookies } from "./app/readable-callback";
import { transportSecurity } from "./next.config.mjs";
import { versionMissing } from "./server/kernel/problem-reply";

const SIGN_IN_DOOR = "/api/auth/";

/**
 * Gives every page its own nonce. Next reads it from the policy in the request's headers, our theme script
 * from `x-nonce`, and the console its own address from `x-address`. Headers that are the same on every reply
 * are in next.config.mjs.
 */
export function proxy(request: NextRequest): Response {
  if (isCallOfApi(request)) return versionMissing(randomUUID());
  const dropped = dropUnreadableCookies(request);
  const reply = request.nextUrl.pathname.startsWith(SIGN_IN_DOOR) ? passOn(request) : page(request);
  for (const name of dropped) {
    // A browser refuses to change a `__Host-` cookie by a line that is not Secure.
    reply.cookies.set(name, "", { path: "/", maxAge: 0, secure: name.startsWith("__") });
  }
  return reply;
}

/** A program reads these with its token too. */
const FOR_ANYONE = /^\/(?:docs|r|llms\.txt|icon\.svg)(?:\/|$)/;

/** The base URL of a program lacks `/v1`. Browsers have cookies or want HTML when a proxy adds a token. */
function isCallOfApi({ headers, nextUrl }: NextRequest): boolean {
  const { pathname } = nextUrl;
  if (pathname.startsWith("/dapp-auth/")) return true;
  const isBrowser = headers.has("cookie") || headers.get("accept")?.includes("text/html");
  const hasToken = /^bearer /i.test(headers.get("authorization") ?? "");
  return hasToken && !isBrowser && !FOR_ANYONE.test(pathname) && !pathname.startsWith(SIGN_IN_DOOR);
}

/** next-auth's own routes carry no page. */
const passOn = (request: NextRequest) =>
  NextResponse.next({ request: { headers: new Headers(request.headers) } });

function page(request: NextRequest): NextResponse {
  const https = process.env.PUBLIC_URL?.startsWith("https:") ?? false;
  const nonce = randomBytes(16).toString("base64");
  const policy = contentPolicy({ nonce, dev: process.env.NODE_ENV === "development", https });
  const headers = new Headers(request.headers);
  headers.set("x-nonce", nonce);
  headers.set("x-address", request.nextUrl.pathname + request.nextUrl.search);
  headers.set("Content-Security-Policy", policy);
  const reply = NextResponse.next({ request: { headers } });
  reply.headers.set("Content-Security-Policy", policy);
  const security = transportSecurity(process.env.PUBLIC_URL);
  if (security) reply.headers.set("Strict-Transport-Security", security);
  return reply;
}

export const config = {
  // Contracts' and machines' paths carry no page, and files of the build need no nonce.
  matcher: ["/api/((?!cron/|trpc/).*)", "/((?!(?:v1|api|_next|livez|metrics|readyz|version)(?:/|$)).*)"],
};
