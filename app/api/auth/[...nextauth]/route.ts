import type { NextRequest } from "next/server";
import NextAuth from "next-auth";
import { withReadableQuery } from "@/app/readable-callback";
import { isForeignOrigin } from "@/server/auth/same-origin";
import { authOptions } from "@/server/auth/staff-session";

interface Route {
  params: Promise<{ nextauth: string[] }>;
}

const answer = NextAuth(authOptions) as (request: Request, route: Route) => Promise<Response>;

const handleGet = (request: NextRequest, route: Route) => answer(withReadableQuery(request), route);

/** Cross-site requests are rejected before next-auth checks its CSRF token. */
async function handlePost(request: NextRequest, route: Route): Promise<Response> {
  if (isForeignOrigin(request)) {
    return Response.json({ message: "The request did not come from this console." }, { status: 403 });
  }
  return answer(withReadableQuery(request), route);
}

export { handleGet as GET, handlePost as POST };
