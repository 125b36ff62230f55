import type { IncomingMessage, ServerResponse } from "node:http";
import { SECURITY_HEADERS } from "@/next.config.mjs";
import { version } from "@/package.json";
import { settings } from "@/server/kernel/settings";
import { answerMetrics } from "@/server/metrics/answer-metrics";
import { machineRoute } from "@/server/rest/machine-route";
import { answerReadyz } from "./health";
import { sendReply } from "./replies";

/** What load balancers and Prometheus ask. Without the Node host, Next's routes use the same handlers. */
export const MACHINE_PATHS = {
  "/livez": machineRoute("/livez", () => ({ alive: true })),
  "/readyz": machineRoute("/readyz", answerReadyz),
  "/version": machineRoute("/version", () => ({ version })),
  "/metrics": machineRoute("/metrics", answerMetrics),
};

const MACHINE_PATH = /^(\/(?:livez|readyz|version|metrics))(?:[/?]|$)/;

/**
 * Answers such a path, if it is one. Next would also turn on Node's async hooks, for the life of the
 * process. On Node 20 they cost every later request of `/v1` a twelfth of its CPU: "submit 10 at 16" in
 * docs/benchmarks.md.
 * @returns false for other paths
 */
export async function answerMachine(message: IncomingMessage, reply: ServerResponse, path: string) {
  const [, root] = MACHINE_PATH.exec(path) ?? [];
  if (!root) return false;
  const handlers = MACHINE_PATHS[root as keyof typeof MACHINE_PATHS];
  const method = message.method as keyof typeof handlers;
  const { authorization } = message.headers;
  const request = new Request(`http://host${path}`, {
    method,
    headers: authorization ? { authorization } : {},
  });
  const { status, headers, body } = await handlers[method](request);
  const text = body === null || method === "HEAD" ? null : await new Response(body).text();
  const sent = new Map([...Object.entries(SECURITY_HEADERS), ...headers]);
  await sendReply(message, reply, { status, headers: sent, body: text }, settings().BODY_BYTES_MAX);
  return true;
}
