import { setTimeout as sleep } from "node:timers/promises";
import { sendConsoleToLog } from "@/server/kernel/log";
import { lifecycle } from "@/server/kernel/process";
import { startWebhookWorker } from "@/server/webhooks/deliver-due";
import { startAlertTimer } from "../alerts/watch";
import { startBulkWorker } from "../batches/bulk/work-bulk";
import { compileKeccak } from "../kernel/compiled-keccak";
import { log } from "../kernel/log";
import { startMetrics } from "../kernel/metrics/process-metrics";
import { settings } from "../kernel/settings";
import { startSelfCheckTimer } from "../operations/self-check-timer";
import { answerRequests } from "./answer-requests";
import type { HttpServer } from "./http-server";
import { startNext } from "./next-app";
import { readPackedFiles } from "./packed-files";
import { startScheduler } from "./scheduler";
import type { StopList } from "./stop-all";

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
