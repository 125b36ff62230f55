import { after } from "next/server";
import { requestsKept } from "@/server/requests/keep-requests";
import { handleRest } from "@/server/rest/handler";

export const dynamic = "force-dynamic";

/** The last entry of `X-Forwarded-For` comes from the host or platform in front of Next. */
function handle(request: Request): Promise<Response> {
  // A platform may freeze the process after the reply, and its timers with it.
  after(requestsKept);
  return handleRest(request, request.headers.get("x-forwarded-for")?.split(",").at(-1)?.trim());
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
