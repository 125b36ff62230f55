import { randomUUID } from "node:crypto";
import { fetchRequestHandler } from "@trpc/server/adapters/fetch";
import { countCall } from "@/server/auth/limits";
import { recentAnswer } from "@/server/auth/recent-answer";
import { sessionIdOf } from "@/server/auth/session-cookies";
import { readSession } from "@/server/auth/sessions";
import { staffSession } from "@/server/auth/staff-session";
import { pageClientAddress } from "@/server/kernel/client-address";
import type { RequestContext, StaffIdentity } from "@/server/kernel/context";
import { consoleDatabase, database, heavyDatabase, requireCurrentSchema } from "@/server/kernel/database";
import { log } from "@/server/kernel/log";
import { isSameOrigin } from "@/server/kernel/own-origin";
import { bodyTooLarge } from "@/server/kernel/problem-reply";
import { bodyBytesMax, readBytes } from "@/server/kernel/read-body";
import { batchLimits, settings } from "@/server/kernel/settings";
import { invalid, toDomainError } from "@/server/kernel/to-domain-error";
import { DomainError, PROBLEMS, toProblem } from "@/terms/problems";
import { appRouter } from "./root";

/** JSON-RPC's "invalid request", required by tRPC's envelope. */
const TRPC_BAD_REQUEST = -32600;

/** Max procedures in one request. Browsers send the others in further requests: `app/providers.tsx`. */
const CALLS_MAX = 10;

/** The context of a page or a download that needs no sign-in. It shares the console's connections. */
export async function openContext(
  requestId: string,
  replyHeaders: Headers,
  headers: Pick<Headers, "get"> | undefined,
): Promise<RequestContext> {
  await requireCurrentSchema();
  return {
    db: consoleDatabase(),
    heavyDb: heavyDatabase(),
    limits: batchLimits(),
    requestId,
    authorization: null,
    clientAddress: addressIn(headers),
    staff: null,
    replyHeaders,
  };
}

const addressIn = (headers: Pick<Headers, "get"> | undefined) =>
  pageClientAddress(headers?.get("x-forwarded-for") ?? null, settings().TRUSTED_PROXY_HOPS);

/** The context of a page's calls. The session and its staff row are read for every request. */
export const consoleContext = async (requestId: string): Promise<RequestContext> => ({
  ...(await openContext(requestId, new Headers(), undefined)),
  staff: await staffSession(),
});

/** For a CSV export, which counts as one call. @throws DomainError `missing_token`, `rate_limited` */
export async function exportContext(requestId: string) {
  const context = await consoleContext(requestId);
  if (!context.staff) throw new DomainError("missing_token", "Sign in to continue.");
  countCall(context, "console", context.staff.email);
  return { ...context, actor: `staff:${context.staff.email}` };
}

/** Refuses mutations from other origins. `later` runs what the reply does not wait for. */
export async function handleConsole(request: Request, later?: RequestContext["later"]): Promise<Response> {
  const requestId = randomUUID();
  const headers = new Headers({ "X-Request-Id": requestId, "Cache-Control": "no-store" });
  try {
    refuseLongBatch(request);
    const staffNow = await recentAnswer(() => staffOf(request));
    const staff = await staffNow();
    if (!staff) countCall({ replyHeaders: headers }, "page", addressIn(request.headers));
    const req = request.method === "POST" ? await admitChange(request, bodyBytesMax(!staff)) : request;
    return await fetchRequestHandler({
      endpoint: "/api/trpc",
      req,
      router: appRouter,
      createContext: async () => ({
        ...(await openContext(requestId, headers, request.headers)),
        staff,
        staffNow,
        ...(later && { later }),
      }),
      responseMeta: () => ({ headers }),
      onError({ error, path }) {
        const { code } = toDomainError(error);
        if (PROBLEMS[code].status >= 500) log().error({ error, requestId, path }, "console request failed");
      },
    });
  } catch (error) {
    const known = toDomainError(error);
    const problem = toProblem(known, requestId);
    // A page gives up a preview when the next key is pressed, perhaps before its body is read.
    if (problem.status >= 500 && !request.signal.aborted)
      log().error({ error, requestId }, "console request failed");
    for (const [name, value] of Object.entries(known.options.headers ?? {})) headers.set(name, value);
    // In the shape of tRPC's own errors, so that the page can show the problem.
    const shown = { message: problem.detail, code: TRPC_BAD_REQUEST, data: { problem } };
    return Response.json({ error: shown }, { status: problem.status, headers });
  }
}

/** The person whose session the cookie names; null for strangers, whose body is read only if small. */
async function staffOf({ headers }: Request): Promise<StaffIdentity | null> {
  const sessionId = await sessionIdOf(headers.get("cookie"));
  if (!sessionId) return null;
  await requireCurrentSchema();
  return readSession(database(), sessionId);
}

/** Before the session is read. @throws DomainError `validation_failed` */
function refuseLongBatch({ url }: Request): void {
  const calls = decodedPath(url).split(",").length;
  if (calls <= CALLS_MAX) return;
  throw invalid(
    `A request may call up to ${CALLS_MAX} procedures, and this one calls ${calls}. ` +
      "Send the others in another request.",
  );
}

/** @throws DomainError `validation_failed`, where the service's own host has not refused the path before */
function decodedPath(url: string): string {
  try {
    return decodeURIComponent(new URL(url).pathname);
  } catch {
    throw invalid("The path cannot be decoded. Encode it as UTF-8.");
  }
}

/** The same request with its body already read. @throws DomainError `not_allowed`, `body_too_large` */
async function admitChange(request: Request, bytesMax: number): Promise<Request> {
  if (!isSameOrigin(request))
    throw new DomainError("not_allowed", "The request did not come from this console.");
  const body = await readBytes(request, bytesMax, () => bodyTooLarge(bytesMax));
  return new Request(request.url, {
    method: "POST",
    headers: request.headers,
    body: body as Uint8Array<ArrayBuffer>,
    signal: request.signal,
  });
}
