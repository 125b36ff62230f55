import { setTimeout as sleep } from "node:timers/promises";
import { database } from "../database";
import { parseSettings } from "../env";
import { startScheduler } from "../finalizer/scheduler";
import { log } from "../log";
import { startSelfCheckTimer } from "../operations/self-check-timer";
import { settings } from "../settings";
import { answerRequests } from "./answer-requests";
import { firstRun } from "./first-run";
import { listen } from "./http-server";
import { startNext } from "./next-app";
import { claimLocal, migrateWhenUp, startLocalPostgres } from "./prepare-database";
import type { StopList } from "./stop-all";

const DRAIN_SECONDS = 10;

/**
 * Starts everything in order and gives the lines to print. What is started is in `stops`, also when a later step fails.
 * @throws SettingsError, EmbeddedPostgresError and StartError, whose messages are for people
 */
export async function startService(dir: string, stops: StopList): Promise<string[]> {
  const dev = process.env.NODE_ENV === "development";
  const given = parseSettings(process.env);
  const claim = await claimLocal(given, stops);
  const server = await listen({ host: given.HOST, port: given.PORT });
  const address = given.PUBLIC_URL?.replace(/\/$/, "") ?? localAddress(given.HOST, server.port);
  stops.add("port", 2, () => server.close(0));
  if (claim) {
    claim.address = address;
    await startLocalPostgres(given, stops);
  }
  completeEnvironment(given.PUBLIC_URL);
  const { DATABASE_URL, DATABASE_TIMEOUT_SECONDS, FINALIZER, STOP_DELAY_SECONDS } = settings();
  stops.add("database pool", 7, async () => database().close());
  await migrateWhenUp(DATABASE_URL!, DATABASE_TIMEOUT_SECONDS);
  // Before anything is answered: a service that has said that it is ready must not end because this fails.
  const lines = await firstRun({ embedded: claim !== null, baseUrl: address });
  const next = await startNext({ dev, dir, port: server.port, hostname: given.HOST });
  stops.add("Next", 5, () => next.close());
  if (dev) server.onUpgrade("/_next/", next.upgrade);
  // In development Next answers /v1 too: it reloads the sources, while this bundle stays as it was at start.
  server.answerWith(answerRequests(next, dev || process.env.REST_DOOR === "next"));
  const scheduler = FINALIZER ? startScheduler() : null;
  const selfChecks = startSelfCheckTimer();
  stops.add("requests and finalizer", DRAIN_SECONDS + 2, () =>
    Promise.all([server.close(DRAIN_SECONDS * 1000), scheduler?.stop(), selfChecks.stop()]),
  );
  stops.add("balancer's notice", STOP_DELAY_SECONDS + 1, () => sleep(STOP_DELAY_SECONDS * 1000));
  log().debug({ address }, "serving");
  return [`Ready at ${address} (${process.uptime().toFixed(1)} s)`, ...lines];
}

function localAddress(host: string, port: number): string {
  const everywhere = host === "0.0.0.0" || host === "::" || host === "127.0.0.1" || host === "::1";
  const name = everywhere ? "localhost" : host.includes(":") ? `[${host}]` : host;
  return `http://${name}:${port}`;
}

/** What next-auth reads. It would take every visitor to NEXTAUTH_URL, so that is set only when the address is known. */
function completeEnvironment(publicUrl: string | undefined): void {
  process.env.AUTH_TRUST_HOST = "1";
  process.env.NEXTAUTH_SECRET = process.env.AUTH_SECRET;
  if (publicUrl) process.env.NEXTAUTH_URL = publicUrl;
  else delete process.env.NEXTAUTH_URL;
}
