import { randomUUID } from "node:crypto";
import type { NextRequest } from "next/server";
import NextAuth from "next-auth";
import { isForeignOrigin } from "@/server/auth/same-origin";
import { sessionCookieNames } from "@/server/auth/session-cookies";
import { endSession } from "@/server/auth/sessions";
import { authOptions, cookieSessionId, staffSession } from "@/server/auth/staff-session";
import { database } from "@/server/kernel/database";
import { problemReply } from "@/server/kernel/http";
import { log } from "@/server/kernel/log";
import { toDomainError } from "@/server/kernel/to-domain-error";
import { DomainError, PROBLEMS } from "@/server/kernel/values/problems";
import { readableRequest } from "../readable-request";

interface Route {
  params: Promise<{ nextauth: string[] }>;
}
type Handler = (request: NextRequest, route: Route) => Promise<Response>;

const nextAuth = NextAuth(authOptions) as Handler;

/** Sign-in and sign-out. Sessions are stored in the database, which next-auth, with its cookies, cannot look up. */
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

/** Answers errors as the API does. */
function withProblems(handle: Handler): Handler {
  return async (request, route) => {
    try {
      return await handle(request, route);
    } catch (thrown) {
      const requestId = randomUUID();
      const error = toDomainError(thrown);
      if (PROBLEMS[error.code].status >= 500)
        log().error({ error: thrown, requestId }, "sign-in request failed");
      return problemReply(error, requestId);
    }
  };
}

export const GET = withProblems(handleGet);
export const POST = withProblems(handlePost);
