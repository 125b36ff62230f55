import { checkBearerSecret } from "@/server/kernel/http";
import { cached } from "@/server/kernel/limits";
import { database } from "../kernel/database";
import { log } from "../kernel/log";
import { metricsText } from "../kernel/metrics/process-metrics";
import { settings } from "../kernel/settings";
import { DomainError } from "../kernel/values/problems";
import { figureLines } from "./figure-lines";
import { readFigures } from "./read-figures";

const CONTENT_TYPE = "text/plain; version=0.0.4; charset=utf-8";

/** Limits database queries, no matter how often the metrics are scraped. */
const KEPT_SECONDS = 5;

/** Database metrics, at most five seconds old. Null when they could not be read. */
const cachedFigures = () =>
  cached("figures", "", KEPT_SECONDS, () =>
    readFigures(database()).catch((error: unknown) => {
      log().warn({ error }, "could not read the database metrics");
      return null;
    }),
  );

/**
 * The metrics of this process, its sibling workers and the database, in Prometheus text format.
 * @throws DomainError `not_found` without METRICS_TOKEN, `missing_token`, `invalid_token`
 */
export async function answerMetrics(request: Request): Promise<Response> {
  const { METRICS_TOKEN } = settings();
  if (!METRICS_TOKEN)
    throw new DomainError("not_found", "Metrics are disabled. Set METRICS_TOKEN to enable them.");
  checkBearerSecret(request.headers.get("authorization"), METRICS_TOKEN, "metrics token");
  const texts = await Promise.all([metricsText(), cachedFigures().then(figureLines)]);
  const text = texts.map((part) => `${part.trimEnd()}\n`).join("");
  return new Response(text, { headers: { "Content-Type": CONTENT_TYPE } });
}
