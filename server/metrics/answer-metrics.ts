import { checkBearerSecret } from "../kernel/http/bearer-secret";
import { askOtherWorkers, textOfAll } from "../kernel/metrics/other-workers";
import { startMetrics } from "../kernel/metrics/process-metrics";
import { settings } from "../kernel/settings";
import { DomainError } from "../kernel/values/problems";
import { cachedFigures } from "./cached-figures";
import { figureLines } from "./figure-lines";

const CONTENT_TYPE = "text/plain; version=0.0.4; charset=utf-8";

/**
 * The metrics of this process, its sibling workers and the database, in Prometheus text format.
 * @throws DomainError `not_found` without METRICS_TOKEN, `missing_token`, `invalid_token`
 */
export async function answerMetrics(request: Request): Promise<Response> {
  const { METRICS_TOKEN } = settings();
  if (!METRICS_TOKEN)
    throw new DomainError("not_found", "Metrics are disabled. Set METRICS_TOKEN to enable them.");
  checkBearerSecret(request.headers.get("authorization"), METRICS_TOKEN, "metrics token");
  const [{ registry }, others, figures] = await Promise.all([
    startMetrics(),
    askOtherWorkers(),
    cachedFigures(),
  ]);
  const texts = await Promise.all([textOfAll(registry, others), figureLines(figures)]);
  const text = texts.map((part) => `${part.trimEnd()}\n`).join("");
  return new Response(text, { headers: { "Content-Type": CONTENT_TYPE } });
}
