import { randomUUID } from "node:crypto";
import { NextRequest } from "next/server";
import NextAuth from "next-auth";
import { withReadableQuery } from "@/app/readable-callback";
import { sessionCookieNames } from "@/server/auth/session-cookies";
import { endSession } from "@/server/auth/sessions";
import { authOptions, cookieSessionId, staffSession } from "@/server/auth/staff-session";
import { database } from "@/server/kernel/database";
import { log } from "@/server/kernel/log";
import { isForeignOrigin } from "@/server/kernel/own-origin";
import { bodyTooLarge, problemReply } from "@/server/kernel/problem-reply";
import { bodyBytesMax, readBytes } from "@/server/kernel/read-body";
import { toRepeatableError } from "@/server/kernel/to-domain-error";
import { parseObject } from "@/server/rest/json-body";
import { DomainError, PROBLEMS } from "@/terms/problems";

interface Route {
  params: Promise<{ nextauth: string[] }>;
}
type Handler = (request: NextRequest, route: Route) => Promise<Response>;

const nextAuth = NextAuth(authOptions) as Handler;

/** Sign-in and sign-out. next-auth, with its cookies, cannot look up sessions that the database stores. */
const handleGet: Handler = async (request, route) => {
  const [action, provider] = (await route.params).nextauth;
  if (action === "session") return describeSession();
  if (action === "callback" && provider === "credentials") throw onlyBy("POST");
  return nextAuth(await readableRequest(request), route);
};

const handlePost: Handler = async (request, route) => {
  // Before next-auth checks its CSRF token.
  if (isForeignOrigin(request))
    throw new DomainError("not_allowed", "The request did not come from this console.");
  const [action] = (await route.params).nextauth;
  if (action === "session") throw onlyBy("GET");
  // next-auth's client reports errors here. Accepting them would let anyone write to the log.
  if (action === "_log") return new Response(null, { status: 204 });
  const reply = await nextAuth(await readableRequest(request), route);
  if (action === "signout" && clearsSession(reply)) {
    const sessionId = await cookieSessionId();
    if (sessionId) await endSession(database(), sessionId);
  }
  return reply;
};

/** The reply that next-auth's client expects. It is empty for an ended session, and extends none. */
async function describeSession(): Promise<Response> {
  const session = await staffSession();
  return Response.json(session ? { user: { email: session.email }, expires: session.expiresAt } : {}, {
    headers: { "Cache-Control": "private, no-cache, no-store" },
  });
}

/** Whether next-auth accepted the CSRF token of a sign-out. */
const clearsSession = (reply: Response) =>
  reply.headers
    .getSetCookie()
    .some((line) => sessionCookieNames().some((name) => line.startsWith(`${name}=;`)));

const onlyBy = (method: string) =>
  new DomainError("method_not_allowed", `Use ${method}.`, { headers: { Allow: method } });

function withProblems(handle: Handler): Handler {
  return async (request, route) => {
    try {
      return await handle(request, route);
    } catch (thrown) {
      const requestId = randomUUID();
      const error = toRepeatableError(thrown);
      if (PROBLEMS[error.code].status >= 500)
        log().error({ error: thrown, requestId }, "sign-in request failed");
      return problemReply(error, requestId);
    }
  };
}

export const GET = withProblems(handleGet);
export const POST = withProblems(handlePost);

/** Before next-auth, which would answer 500 to some and read bodies of any size. @throws DomainError */
async function readableRequest(request: NextRequest): Promise<NextRequest> {
  if (request.method !== "POST") return withReadableQuery(request);
  const bytesMax = bodyBytesMax(true);
  const bytes = await readBytes(request, bytesMax, () => bodyTooLarge(bytesMax));
  const isJson = mediaTypeOf(request) === "application/json";
  const fields = isJson ? fieldsOf(parseObject(bytes)) : new URLSearchParams(new TextDecoder().decode(bytes));
  const headers = new Headers(request.headers);
  headers.set("Content-Type", "application/x-www-form-urlencoded");
  headers.delete("Content-Length");
  return withReadableQuery(new NextRequest(request.url, { method: "POST", headers, body: String(fields) }));
}

function mediaTypeOf(request: NextRequest): string {
  const type = (request.headers.get("content-type") ?? "").split(";")[0]!.trim().toLowerCase();
  if (["application/json", "application/x-www-form-urlencoded"].includes(type)) return type;
  throw new DomainError(
    "unsupported_media_type",
    "The body must be application/x-www-form-urlencoded or application/json.",
  );
}

function fieldsOf(body: Record<string, unknown>): URLSearchParams {
  const fields = Object.entries(body).map(([name, field]): [string, string] => {
    if (typeof field === "string" || typeof field === "boolean") return [name, String(field)];
    throw new DomainError("validation_failed", "Each field of the body must be a string.");
  });
  return new URLSearchParams(fields);
}
