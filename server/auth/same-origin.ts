import { settings } from "../kernel/settings";

/** Whether a page of this console sent a request: by its Origin, or, where a browser sends none, by what it says of the site. */
export function isSameOrigin(request: Request): boolean {
  const origin = request.headers.get("origin");
  if (!origin) return request.headers.get("sec-fetch-site") === "same-origin";
  return isOwnOrigin(origin, request);
}

/**
 * Whether a browser says that a page of somebody else sent a request. Less than `isSameOrigin`: a caller that is no
 * browser says nothing. For sign-in, which asks for a token of its own besides.
 */
export function isForeignOrigin(request: Request): boolean {
  const origin = request.headers.get("origin");
  if (origin) return !isOwnOrigin(origin, request);
  const site = request.headers.get("sec-fetch-site");
  return site === "cross-site" || site === "same-site";
}

function isOwnOrigin(origin: string, request: Request): boolean {
  if (!URL.canParse(origin)) return false;
  const { PUBLIC_URL } = settings();
  if (PUBLIC_URL && new URL(PUBLIC_URL).origin === origin) return true;
  const host = request.headers.get("x-forwarded-host") ?? request.headers.get("host");
  return new URL(origin).host === host;
}
