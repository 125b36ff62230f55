import { processMetrics } from "./process-metrics";

const METHODS = new Set(["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"]);

/** Counts an answered request. @param route a template from a closed list, never the raw path */
export function countRequest(method: string, route: string, status: number, startedAt: number): void {
  const metrics = processMetrics();
  if (!metrics) return;
  const known = METHODS.has(method) ? method : "other";
  metrics.requests.inc({ method: known, route, status });
  metrics.durations.observe({ method: known, route }, (performance.now() - startedAt) / 1000);
}
