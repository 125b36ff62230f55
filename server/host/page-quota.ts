import type { IncomingMessage } from "node:http";
import { processMetrics } from "../kernel/metrics/process-metrics";
import { settings } from "../kernel/settings";
import { overQuota, perWindow } from "../kernel/window-quota";

/** An office has one address and many people. */
const TIMES_WITH_SESSION = 10;
/** Files of the build, machines' paths, and console calls with a session, which have a quota per person. */
const UNCOUNTED = /^\/(?:_next|livez|readyz|version|metrics|icon\.svg|api\/cron)(?:[/?]|$)/;
const CONSOLE_CALL = /^\/api\/trpc\//;
const SESSION_COOKIE = /(?:^|; )(?:__Host-|__Secure-)?next-auth\.session-token(?:\.\d+)?=/;

/**
 * Counts a page against its client address's quota, in this process: rendering costs this process's event loop, and anonymous
 * visitors should not cost the database anything (`npm run faults -- hostile-reader`).
 * @returns seconds until the next one is served; null if this one is
 */
export function overPageQuota(message: IncomingMessage, path: string, address: string): number | null {
  const perMinute = settings().PAGE_RATE_LIMIT_PER_MINUTE;
  const hasSession = SESSION_COOKIE.test(message.headers.cookie ?? "");
  if (perMinute === 0 || UNCOUNTED.test(path) || (hasSession && CONSOLE_CALL.test(path))) return null;
  const max = perWindow(perMinute) * (hasSession ? TIMES_WITH_SESSION : 1);
  const waitSeconds = overQuota(hasSession ? "pages with a session" : "anonymous pages", max, address);
  if (waitSeconds !== null) processMetrics()?.rateLimited.inc({ policy: "page" });
  return waitSeconds;
}
