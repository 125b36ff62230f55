/** The page to open after signing in or out: a URL in this console, otherwise its start page. Never throws. */
export function consoleUrl(wanted: string, base: string): string {
  const target = URL.canParse(wanted, base) ? new URL(wanted, base) : null;
  const isOwn = target?.origin === new URL(base).origin && !target.pathname.startsWith("//");
  return isOwn ? target.href : base;
}
