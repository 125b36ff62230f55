import type { IncomingMessage } from "node:http";
import { hasBearerSecret } from "@/server/kernel/http";
import { overQuota, perWindow } from "@/server/kernel/limits";
import { processMetrics } from "../kernel/metrics/process-metrics";
import { settings } from "../kernel/settings";

/** An office has one address and many people. */
const TIMES_WITH_SESSION = 10;
/** Files of the build, and what probes ask. */
const UNCOUNTED = /^\/(?:_next\/.*|icon\.svg|(?:livez|readyz|version)\/?)(?:\?|$)/;
/** What machines ask, with the secret that proves them. */
const MACHINES = [
  [/^\/api\/cron\//, "CRON_SECRET"],
  [/^\/metrics(?:[/?]|$)/, "METRICS_TOKEN"],
] as const;
/** With a session, these have a quota per person: `countStaffCall`. */
const CONSOLE_CALL = /^\/api\/trpc\//;

/**
 * Counts a page against its client address's quota, in this process: rendering costs this process's event loop, and anonymous
 * visitors should not cost the database anything.
 * @param hasSession whether the request has a session cookie that this service encrypted
 * @returns seconds until the next one is served; null if this one is
 */
export function overPageQuota(
  { headers }: IncomingMessage,
  path: string,
  address: string,
  hasSession: boolean,
): number | null {
  const perMinute = settings().PAGE_RATE_LIMIT_PER_MINUTE;
  if (perMinute === 0 || UNCOUNTED.test(path) || isMachine(path, headers.authorization)) return null;
  if (hasSession && CONSOLE_CALL.test(path)) return null;
  const max = perWindow(perMinute) * (hasSession ? TIMES_WITH_SESSION : 1);
  const waitSeconds = overQuota(hasSession ? "pages with a session" : "anonymous pages", max, address);
  if (waitSeconds !== null) processMetrics()?.rateLimited.inc({ policy: "page" });
  return waitSeconds;
}

const isMachine = (path: string, authorization: string | undefined) =>
  MACHINES.some(
    ([own, secret]) => own.test(path) && hasBearerSecret(authorization ?? null, settings()[secret]),
  );
