const BASE = "http://console.invalid";

/** The path to go to after sign-in: one of this site, never another site's address. */
export function safePath(wanted: string | undefined, fallback = "/batches"): string {
  if (!wanted?.startsWith("/")) return fallback;
  const url = URL.canParse(wanted, BASE) ? new URL(wanted, BASE) : null;
  if (url?.origin !== BASE || url.pathname.startsWith("//") || url.pathname.startsWith("/sign-in"))
    return fallback;
  return url.pathname + url.search + url.hash;
}
