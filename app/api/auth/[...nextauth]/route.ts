import NextAuth from "next-auth";
import { isForeignOrigin } from "@/server/auth/same-origin";
import { authOptions } from "@/server/auth/staff-session";

interface Route {
  params: Promise<{ nextauth: string[] }>;
}

const handler = NextAuth(authOptions) as (request: Request, route: Route) => Promise<Response>;

/** next-auth asks for its token in the body; a foreign page is refused before that. */
async function handlePost(request: Request, route: Route): Promise<Response> {
  if (isForeignOrigin(request)) {
    return Response.json({ message: "The request did not come from this console." }, { status: 403 });
  }
  return handler(request, route);
}

export { handlePost as POST, handler as GET };
