import { NextRequest } from "next/server";

const COOKIE_NAME = /(?:^|[-.])next-auth\.callback-url$/;

/** As next-auth reads it: where it cannot, it answers 500, by every page that asks for the session. */
function isReadable(address: string, base: string): boolean {
  const own = address.startsWith("/") ? base : undefined;
  return URL.canParse(address, own) && /^https?:$/.test(new URL(address, own).protocol);
}

/** Takes unreadable addresses to come back to out of the request's cookies. @returns their names, to be deleted */
export function dropUnreadableCookies(request: NextRequest): string[] {
  const names = request.cookies
    .getAll()
    .filter(({ name, value }) => COOKIE_NAME.test(name) && !isReadable(value, request.url))
    .map(({ name }) => name);
  for (const name of names) request.cookies.delete(name);
  return names;
}

/** The request without an unreadable address to come back to in its query. */
export function withReadableQuery(request: NextRequest): NextRequest {
  const wanted = request.nextUrl.searchParams.get("callbackUrl");
  if (!wanted || isReadable(wanted, request.url)) return request;
  const url = request.nextUrl.clone();
  url.searchParams.delete("callbackUrl");
  return new NextRequest(url, request);
}
