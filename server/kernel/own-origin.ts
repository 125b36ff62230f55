import { settings } from "./settings";

/** Whether a page of this console sent the request, by `Origin` or, without one, `Sec-Fetch-Site`. */
export function isSameOrigin(request: Request): boolean {
  const origin = request.headers.get("origin");
  if (!origin) return request.headers.get("sec-fetch-site") === "same-origin";
  return isOwnOrigin(origin, request);
}

/** Whether a browser reports another origin. Weaker than the above, for sign-in, which has a CSRF token. */
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

/** The page to open after signing in or out: a URL in this console, or its start page. Never throws. */
export function consoleUrl(wanted: string, base: string): string {
  const target = URL.canParse(wanted, base) ? new URL(wanted, base) : null;
  const isOwn = target?.origin === new URL(base).origin && !target.pathname.startsWith("//");
  return isOwn ? target.href : base;
}
