import type { IncomingMessage } from "node:http";
import { processMetrics } from "../kernel/metrics/process-metrics";
import { settings } from "../kernel/settings";
import { single } from "../kernel/single";
import { WindowQuota } from "../kernel/window-quota";

const WINDOW_SECONDS = 10;
const WINDOWS_PER_MINUTE = 60 / WINDOW_SECONDS;
/** An office has one address and many people. */
const TIMES_WITH_SESSION = 10;
/** Files of the build, machines' paths, and console calls with a session, which have a quota per person. */
const UNCOUNTED = /^\/(?:_next|livez|readyz|version|metrics|icon\.svg|api\/cron)(?:[/?]|$)/;
const CONSOLE_CALL = /^\/api\/trpc\//;
const SESSION_COOKIE = /(?:^|; )(?:__Host-|__Secure-)?next-auth\.session-token(?:\.\d+)?=/;

/**
 * Counts a page against its client address's quota, in this process: rendering costs this process's event loop, and nothing
 * is asked of the database for somebody unknown.
 * @returns seconds until the next one is served; null if this one is
 */
export function overPageQuota(message: IncomingMessage, path: string, address: string): number | null {
  const perMinute = settings().PAGE_RATE_LIMIT_PER_MINUTE;
  const hasSession = SESSION_COOKIE.test(message.headers.cookie ?? "");
  if (perMinute === 0 || UNCOUNTED.test(path) || (hasSession && CONSOLE_CALL.test(path))) return null;
  const points = Math.ceil(perMinute / WINDOWS_PER_MINUTE) * (hasSession ? TIMES_WITH_SESSION : 1);
  const pages = single(hasSession ? "pages with a session" : "anonymous pages", () => {
    return new WindowQuota(points, WINDOW_SECONDS);
  });
  const waitSeconds = pages.count(address);
  if (waitSeconds !== null) processMetrics()?.rateLimited.inc({ policy: "page" });
  return waitSeconds;
}
