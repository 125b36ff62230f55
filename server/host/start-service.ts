import cluster from "node:cluster";
import { closeDatabases } from "../kernel/database";
import { parseSettings, type Settings, settings } from "../kernel/settings";
import { answerWhileStarting } from "./answer-while-starting";
import { firstRun } from "./first-run";
import { type HttpServer, listen } from "./http-server";
import { claimLocal, prepareSchema, startLocalPostgres } from "./prepare-database";
import { serve } from "./serve";
import type { StopList } from "./stop-all";
import { startWorkers } from "./workers";

/** Paths of the project and of this program, which the workers run too. */
export interface Place {
  projectFolder: string;
  program: string;
}

/**
 * Starts everything in order and returns the lines to print. `stops` lists everything started, even if a later step fails.
 * @throws SettingsError, EmbeddedPostgresError and StartError, with messages for the user
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
  await prepareSchema((reason) => server.answerWith(answerWhileStarting(reason)));
  // Runs before the service reports ready, because a failure here ends the process.
  const lines = await firstRun({ embedded: claim !== null, baseUrl: address });
  const count = process.env.NODE_ENV === "development" ? 1 : settings().WEB_CONCURRENCY;
  if (count === 1) await serve(place.projectFolder, server, stops);
  else {
    // The workers open the port again and share it. A port in use has already failed above.
    await server.close(0);
    await startWorkers({ program: place.program, count, port: server.port }, stops);
  }
  return [`Ready at ${address} (${process.uptime().toFixed(1)} s)`, ...lines];
}

/** One of several processes on the port. The primary process has already prepared the database. */
async function startAsWorker(place: Place, given: Settings, stops: StopList): Promise<string[]> {
  const server = await openPort(given, stops);
  openDatabase(given.PUBLIC_URL, stops);
  await serve(place.projectFolder, server, stops);
  process.send?.("ready");
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
  stops.add("database pool", 7, closeDatabases);
}

function localAddress(host: string, port: number): string {
  const everywhere = host === "0.0.0.0" || host === "::" || host === "127.0.0.1" || host === "::1";
  const name = everywhere ? "localhost" : host.includes(":") ? `[${host}]` : host;
  return `http://${name}:${port}`;
}

/** For next-auth. It redirects every visitor to NEXTAUTH_URL, so that is set only when the public URL is known. */
function completeEnvironment(publicUrl: string | undefined): void {
  process.env.AUTH_TRUST_HOST = "1";
  process.env.NEXTAUTH_SECRET = process.env.AUTH_SECRET;
  if (publicUrl) process.env.NEXTAUTH_URL = publicUrl;
  else delete process.env.NEXTAUTH_URL;
}
