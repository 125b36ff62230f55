import cluster from "node:cluster";
import { database, replica } from "../kernel/database";
import { parseSettings, type Settings } from "../kernel/env";
import { settings } from "../kernel/settings";
import { answerWhileStarting } from "./answer-while-starting";
import { firstRun } from "./first-run";
import { type HttpServer, listen } from "./http-server";
import { claimLocal, prepareSchema, startLocalPostgres } from "./prepare-database";
import { serve } from "./serve";
import type { StopList } from "./stop-all";
import { sayReady, startWorkers } from "./workers";

/** Where this program lies: what it serves, and the file that its workers run. */
export interface Place {
  projectFolder: string;
  program: string;
}

/**
 * Starts everything in order and gives the lines to print. What is started is in `stops`, also when a later step fails.
 * @throws SettingsError, EmbeddedPostgresError and StartError, whose messages are for people
 */
export async function startService(place: Place, stops: StopList): Promise<string[]> {
  const given = parseSettings(process.env);
  if (cluster.isWorker) return startAsWorker(place, given, stops);
  const claim = await claimLocal(given, stops);
  const server = await openPort(given, stops);
  const address = given.PUBLIC_URL?.replace(/\/$/, "") ?? localAddress(given.HOST, server.port);
  if (claim) {
    claim.address = address;
    await startLocalPostgres(given, stops);
  }
  openDatabase(given.PUBLIC_URL, stops);
  await prepareSchema((words) => server.answerWith(answerWhileStarting(words)));
  // Before anything is answered: a service that has said that it is ready must not end because this fails.
  const lines = await firstRun({ embedded: claim !== null, baseUrl: address });
  const count = process.env.NODE_ENV === "development" ? 1 : settings().WEB_CONCURRENCY;
  if (count === 1) await serve(place.projectFolder, server, stops);
  else {
    // The workers open it again, together; a port that somebody else has was found out above.
    await server.close(0);
    await startWorkers({ program: place.program, count, port: server.port }, stops);
  }
  return [`Ready at ${address} (${process.uptime().toFixed(1)} s)`, ...lines];
}

/** One of several processes on the port: the process that made it has the database ready. */
async function startAsWorker(place: Place, given: Settings, stops: StopList): Promise<string[]> {
  const server = await openPort(given, stops);
  openDatabase(given.PUBLIC_URL, stops);
  await serve(place.projectFolder, server, stops);
  sayReady();
  return [];
}

async function openPort(given: Settings, stops: StopList): Promise<HttpServer> {
  const server = await listen({ host: given.HOST, port: given.PORT });
  server.answerWith(answerWhileStarting("The service is starting."));
  stops.add("port", 2, () => server.close(0));
  return server;
}

function openDatabase(publicUrl: string | undefined, stops: StopList): void {
  completeEnvironment(publicUrl);
  stops.add("database pool", 7, async () => {
    await Promise.all([database().close(), replica()?.close()]);
  });
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
