import { NextRequest } from "next/server";

const COOKIE_NAME = /(?:^|[-.])next-auth\.callback-url$/;

/** next-auth answers 500 on every page when it cannot parse its callback URL. */
function isReadable(callbackUrl: string, base: string): boolean {
  const own = callbackUrl.startsWith("/") ? base : undefined;
  return URL.canParse(callbackUrl, own) && /^https?:$/.test(new URL(callbackUrl, own).protocol);
}

/** Removes callback URLs that next-auth cannot parse from the request. @returns the cookies to delete */
export function dropUnreadableCookies(request: NextRequest): string[] {
  const names = request.cookies
    .getAll()
    .filter(({ name, value }) => COOKIE_NAME.test(name) && !isReadable(value, request.url))
    .map(({ name }) => name);
  for (const name of names) request.cookies.delete(name);
  return names;
}

const ERROR_CODE = /^\w{1,64}$/;

/** The same for a callback URL in the query, and for an error code, which next-auth writes into a header. */
export function withReadableQuery(request: NextRequest): NextRequest {
  const { searchParams } = request.nextUrl;
  const wanted = searchParams.get("callbackUrl");
  const unreadable = [
    ...(wanted && !isReadable(wanted, request.url) ? ["callbackUrl"] : []),
    ...(ERROR_CODE.test(searchParams.get("error") ?? "none") ? [] : ["error"]),
  ];
  if (unreadable.length === 0) return request;
  const url = request.nextUrl.clone();
  for (const name of unreadable) url.searchParams.delete(name);
  return new NextRequest(url, request);
}
