import cluster from "node:cluster";
import type { IncomingMessage, ServerResponse } from "node:http";
import { setTimeout as sleep } from "node:timers/promises";
import { startAlertTimer } from "@/server/alerts/watch";
import { startBulkWorker } from "@/server/batches/bulk/work-bulk";
import { compileKeccak } from "@/server/kernel/compiled-keccak";
import { closeDatabases } from "@/server/kernel/database";
import { log, sendConsoleToLog } from "@/server/kernel/log";
import { startMetrics } from "@/server/kernel/metrics/process-metrics";
import { lifecycle } from "@/server/kernel/process";
import { parseSettings, type Settings, settings } from "@/server/kernel/settings";
import { DomainError } from "@/server/kernel/values/problems";
import { startSelfCheckTimer } from "@/server/operations/self-check";
import { startWebhookWorker } from "@/server/webhooks/deliver-due";
import { answerRequests } from "./answer-requests";
import { firstRun } from "./first-run";
import { notReady, readiness } from "./health";
import { type Answer, type HttpServer, listen } from "./http-server";
import type { StopList } from "./lifecycle";
import { startNext } from "./next-app";
import { readPackedFiles } from "./packed-files";
import { claimLocal, prepareSchema, startLocalPostgres } from "./prepare-database";
import { writeProblem } from "./replies";
import { startScheduler } from "./scheduler";
import { startWorkers } from "./workers";

const RELOAD_SECONDS = 2;

/** Answers until the service is ready: alive, not ready, and 503 with this message for everything else (HTML for browsers). */
export function answerWhileStarting(reason: string): Answer {
  return (message, reply, path) => {
    const [target] = path.split("?", 1);
    if (target === "/livez") writeJson(reply, 200, { alive: true });
    // Without DATABASE_URL there is no database to query yet.
    else if (target === "/readyz" && process.env.DATABASE_URL) void answerReadiness(message, reply, reason);
    else if (isNavigation(message)) writePage(reply, reason);
    else writeProblem(reply, new DomainError("unavailable", reason));
  };
}

async function answerReadiness(
  message: IncomingMessage,
  reply: ServerResponse,
  reason: string,
): Promise<void> {
  const state = { ...(await readiness()), ready: false };
  writeProblem(reply, notReady(state, message.headers.authorization ?? null, reason));
}

function writeJson(reply: ServerResponse, status: number, body: object): void {
  const text = JSON.stringify(body);
  reply
    .writeHead(status, {
      "Content-Type": "application/json",
      "Content-Length": String(Buffer.byteLength(text)),
      "Cache-Control": "no-store",
      Connection: "close",
    })
    .end(text);
}

const isNavigation = ({ method, headers }: IncomingMessage) =>
  method === "GET" && (headers.accept ?? "").split(",").some((type) => type.trim().startsWith("text/html"));

/** A browser that opens the console too early reloads by itself. */
function writePage(reply: ServerResponse, reason: string): void {
  const text = `<!doctype html><html lang="en"><meta charset="utf-8"><meta name="viewport" content="width=device-width">
<meta http-equiv="refresh" content="${RELOAD_SECONDS}"><title>Starting</title>
<style>:root{color-scheme:light dark}body{font:14px/20px system-ui,sans-serif;margin:20vh auto 0;max-width:480px;padding:0 16px;text-align:center}</style>
<main><h1 style="font-size:20px">One moment</h1><p>${reason} This page reloads automatically.</p></main></html>`;
  reply
    .writeHead(503, {
      "Content-Type": "text/html; charset=utf-8",
      "Content-Length": String(Buffer.byteLength(text)),
      "Content-Security-Policy": "default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'none'",
      "Cache-Control": "no-store",
      "Retry-After": String(RELOAD_SECONDS),
      Connection: "close",
    })
    .end(text);
}

const DRAIN_SECONDS = 10;

/** Answers requests, finalizes batches and checks the ledger. Any number of processes may share one database. */
export async function serve(dir: string, server: HttpServer, stops: StopList): Promise<void> {
  const dev = process.env.NODE_ENV === "development";
  const { HOST, FINALIZER, METRICS_TOKEN, STOP_DELAY_SECONDS } = settings();
  if (METRICS_TOKEN) await startMetrics();
  await compileKeccak();
  if (!dev) sendConsoleToLog();
  const next = await startNext({ dev, dir, port: server.port, hostname: HOST });
  stops.add("traces", 3, async () => lifecycle().stopTracing?.());
  stops.add("Next", 5, () => next.close());
  if (dev) server.onUpgrade("/_next/", next.upgrade);
  // In development Next also answers /v1, because it reloads changed sources and this bundle does not.
  server.answerWith(
    answerRequests(next, dev ? null : readPackedFiles(dir), dev || process.env.REST_DOOR === "next"),
  );
  const scheduler = FINALIZER ? startScheduler() : null;
  const webhooks = FINALIZER ? startWebhookWorker() : null;
  const bulk = FINALIZER ? startBulkWorker() : null;
  const selfChecks = startSelfCheckTimer();
  const alerts = startAlertTimer();
  stops.add("requests and finalizer", DRAIN_SECONDS + 2, () =>
    Promise.all([
      server.close(DRAIN_SECONDS * 1000),
      scheduler?.stop(),
      webhooks?.stop(),
      bulk?.stop(),
      selfChecks.stop(),
      alerts.stop(),
    ]),
  );
  stops.add("stop delay", STOP_DELAY_SECONDS + 1, () => sleep(STOP_DELAY_SECONDS * 1000));
  log().debug({ port: server.port, process: process.pid }, "serving");
}

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
