import { randomUUID } from "node:crypto";
import { after } from "next/server";
import { problemReply } from "@/server/kernel/problem-reply";
import { invalid } from "@/server/kernel/to-domain-error";
import { requestsKept } from "@/server/requests/keep-requests";
import { handleRest } from "@/server/rest/handler";

export const dynamic = "force-dynamic";

/** The last entry of `X-Forwarded-For` comes from the host or platform in front of Next. */
async function handle(request: Request): Promise<Response> {
  // On Vercel, Next has then taken `.rsc` off the path, which would be another batch's.
  if (request.headers.has("rsc"))
    return problemReply(invalid("On this host, no path can end in .rsc. Use another ID."), randomUUID());
  // A platform may freeze the process after the reply, and its timers with it.
  after(requestsKept);
  return await handleRest(request, request.headers.get("x-forwarded-for")?.split(",").at(-1)?.trim());
}

export {
  handle as DELETE,
  handle as GET,
  handle as HEAD,
  handle as OPTIONS,
  handle as PATCH,
  handle as POST,
  handle as PUT,
};
