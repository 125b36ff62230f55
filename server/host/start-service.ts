import cluster from "node:cluster";
import { setTimeout as sleep } from "node:timers/promises";
import { startAlertTimer } from "@/server/alerts/watch";
import { startSnapshotWorker } from "@/server/allocations/make-allocation";
import { startBulkWorker } from "@/server/batches/bulk/work-bulk";
import { catchUpReviews } from "@/server/batches/review/review-new-batches";
import { deleteExpired } from "@/server/finalizer/delete-expired";
import { finalizeDueBatches } from "@/server/finalizer/finalize-due-batches";
import { compileKeccak } from "@/server/kernel/address-bytes";
import { closeDatabases, database } from "@/server/kernel/database";
import { log, sendConsoleToLog } from "@/server/kernel/log";
import { startMetrics } from "@/server/kernel/metrics/process-metrics";
import { lifecycle } from "@/server/kernel/process";
import { misspelled, parseSettings, settings } from "@/server/kernel/settings";
import { doEach, startWorkLoop } from "@/server/kernel/work-loop";
import { catchUpRecipients } from "@/server/ledger/index-recipients";
import { startSelfCheckTimer } from "@/server/operations/self-check";
import { requestsKept } from "@/server/requests/keep-requests";
import { startWebhookWorker } from "@/server/webhooks/deliver-due";
import { answerRequests, readPackedFiles } from "./answer-requests";
import { firstRun } from "./first-run";
import { findPort, listen } from "./http-server";
import type { StopList } from "./lifecycle";
import { startNext } from "./next-app";
import { claimLocal, prepareSchema, startLocalPostgres } from "./prepare-database";
import { startWorkers } from "./workers";

const DRAIN_SECONDS = 10;

/** The port opens last, so that no load balancer sends to a starting process. @throws StartError */
async function serve(dir: string, port: number, stops: StopList): Promise<void> {
  const dev = process.env.NODE_ENV === "development";
  const { HOST, FINALIZER, METRICS_TOKEN, STOP_DELAY_SECONDS } = settings();
  if (METRICS_TOKEN) await startMetrics();
  await compileKeccak();
  if (!dev) sendConsoleToLog();
  const next = await startNext({ dev, dir, port, hostname: HOST });
  stops.add("traces", 3, async () => lifecycle().stopTracing?.());
  stops.add("request log", 5, requestsKept);
  stops.add("Next", 5, () => next.close());
  // In development Next also answers /v1, because it reloads changed sources and this bundle does not.
  const answer = answerRequests(next, dev ? null : readPackedFiles(dir), dev);
  const server = await listen({ host: HOST, port }, answer);
  if (dev) server.onUpgrade("/_next/", next.upgrade);
  const loops = [
    ...(FINALIZER ? [startScheduler(), startWebhookWorker(), startBulkWorker(), startSnapshotWorker()] : []),
    startSelfCheckTimer(),
    startAlertTimer(),
  ];
  stops.add("requests and finalizer", DRAIN_SECONDS + 2, () =>
    Promise.all([server.close(DRAIN_SECONDS * 1000), ...loops.map((loop) => loop.stop())]),
  );
  stops.add("stop delay", STOP_DELAY_SECONDS + 1, () => sleep(STOP_DELAY_SECONDS * 1000));
  log().debug({ port, process: process.pid }, "serving");
}

/** Paths of the project and of this program, which the workers run too. */
export type Place = { projectFolder: string; program: string };

/** `stops` lists what was started. @throws SettingsError, EmbeddedPostgresError, StartError */
export async function startService(place: Place, stops: StopList): Promise<string[]> {
  const given = parseSettings(process.env);
  if (cluster.isWorker) {
    // One of several processes on the port. The primary process has already prepared the database.
    openDatabase(given.PUBLIC_URL, stops);
    await serve(place.projectFolder, given.PORT, stops);
    process.send?.("ready");
    return [];
  }
  for (const line of misspelled(process.env)) process.stderr.write(`${line}\n`);
  const claim = await claimLocal(given, stops);
  const port = await findPort({ host: given.HOST, port: given.PORT });
  const address = given.PUBLIC_URL?.replace(/\/$/, "") ?? localAddress(given.HOST, port);
  if (claim) {
    claim.address = address;
    await startLocalPostgres(given, stops);
  }
  openDatabase(given.PUBLIC_URL, stops);
  await prepareSchema();
  // Runs before the service reports ready, because a failure here ends the process.
  const lines = await firstRun({ embedded: claim !== null, baseUrl: address });
  const count = process.env.NODE_ENV === "development" ? 1 : settings().WEB_CONCURRENCY;
  if (count === 1) await serve(place.projectFolder, port, stops);
  else await startWorkers({ program: place.program, count, port }, stops);
  return [`Ready at ${address} (${process.uptime().toFixed(1)} s)`, ...lines];
}

/** Also sets NEXTAUTH_URL when the public URL is known: next-auth redirects every visitor to it. */
function openDatabase(publicUrl: string | undefined, stops: StopList): void {
  const { DATABASE_URL, AUTH_SECRET } = settings();
  Object.assign(process.env, { DATABASE_URL, NEXTAUTH_SECRET: AUTH_SECRET, AUTH_TRUST_HOST: "1" });
  if (publicUrl) process.env.NEXTAUTH_URL = publicUrl;
  else delete process.env.NEXTAUTH_URL;
  stops.add("database pool", 7, closeDatabases);
}

function localAddress(host: string, port: number): string {
  const everywhere = host === "0.0.0.0" || host === "::" || host === "127.0.0.1" || host === "::1";
  const name = everywhere ? "localhost" : host.includes(":") ? `[${host}]` : host;
  return `http://${name}:${port}`;
}

/** How often to look for due batches. Batches must be finalized within two seconds of being due. */
const TICK_MS = 500;
/** None of these may delay due batches. The next tick continues. */
const INDEX_SECONDS_MAX = 1;
const REVIEW_SECONDS_MAX = 0.25;
const SWEEP_SECONDS_MAX = 0.5;
const SWEEP_EVERY_MS = 60_000;

export function startScheduler(): { stop(): Promise<void> } {
  let sweepAt = 0;
  return startWorkLoop({
    everyMs: TICK_MS,
    failure: "a finalizer run, or what follows it, failed, retrying",
    async work(isStopping) {
      let isFinalized = true;
      const finalize = async () => {
        const budgetSeconds = settings().FINALIZER_BUDGET_SECONDS;
        const run = await finalizeDueBatches(database(), { budgetSeconds, startedBy: "scheduler" });
        isFinalized = run.failure === null;
      };
      const sweep = async () => {
        if (performance.now() < sweepAt) return;
        sweepAt = performance.now() + SWEEP_EVERY_MS;
        const isSwept = await deleteExpired(database(), { budgetSeconds: SWEEP_SECONDS_MAX, isStopping });
        if (!isSwept) sweepAt = 0;
      };
      await doEach([
        finalize,
        () => catchUpRecipients(database(), INDEX_SECONDS_MAX),
        () => catchUpReviews(database(), REVIEW_SECONDS_MAX),
        sweep,
      ]);
      return isFinalized;
    },
  });
}
