const BASE = "http://console.invalid";

/** Prevents open redirects after sign-in. */
export function safePath(wanted: string | undefined, fallback = "/batches"): string {
  if (!wanted?.startsWith("/")) return fallback;
  const url = URL.canParse(wanted, BASE) ? new URL(wanted, BASE) : null;
  if (url?.origin !== BASE || url.pathname.startsWith("//") || url.pathname.startsWith("/sign-in"))
    return fallback;
  return url.pathname + url.search + url.hash;
}
