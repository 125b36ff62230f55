import { createServer } from "node:http";
import { text } from "node:stream/consumers";
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import type { BuiltApp } from "@/testing/launch-app";
import { startBuiltApp } from "@/testing/launch-app";
import { listenLocally, stopServer } from "@/testing/local-servers";
import { signInTo } from "@/testing/sign-in";

const MARK = "marked-in-traces";
const CONTRACT = "0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed";
const TRACE_ID = "0af7651916cd43dd8448eb211c80319c";
const EXPORT_MS_MAX = 20_000;

interface OtlpSpan {
  traceId: string;
  name: string;
  attributes: { key: string; value: { stringValue?: string; intValue?: string | number } }[];
  status: { code?: number; message?: string };
  events?: unknown[];
}

/** Records what a collector receives. */
class Collector {
  readonly bodies: string[] = [];
  status = 200;
  readonly #server = createServer(async (message, reply) => {
    this.bodies.push(`${JSON.stringify(message.headers)}\n${await text(message)}`);
    reply.writeHead(this.status, { "Content-Type": "application/json" }).end("{}");
  });
  readonly start = async () => `http://127.0.0.1:${await listenLocally(this.#server)}`;
  readonly stop = () => stopServer(this.#server);

  spans(): OtlpSpan[] {
    return this.bodies.flatMap((body) => {
      const sent = JSON.parse(body.slice(body.indexOf("\n") + 1)) as {
        resourceSpans: { scopeSpans: { spans: OtlpSpan[] }[] }[];
      };
      return sent.resourceSpans.flatMap((resource) => resource.scopeSpans.flatMap((scope) => scope.spans));
    });
  }

  until(isThere: (span: OtlpSpan) => boolean): Promise<OtlpSpan> {
    const found = () => this.spans().find(isThere) ?? Promise.reject(new Error("there is no such span"));
    return vi.waitFor(found, { timeout: EXPORT_MS_MAX, interval: 100 });
  }
}

const attributesOf = (span: OtlpSpan) =>
  Object.fromEntries(
    span.attributes.map(({ key, value }) => [key, value.stringValue ?? Number(value.intValue)]),
  );

describe("traces", () => {
  const collector = new Collector();
  let app: BuiltApp;
  beforeAll(async () => {
    const endpoint = await collector.start();
    app = await startBuiltApp({
      environment: {
        OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: `${endpoint}/v1/traces`,
        OTEL_RESOURCE_ATTRIBUTES: "deployment.environment=prod,service.name=points",
        OTEL_BSP_SCHEDULE_DELAY: "200",
      },
    });
    await app.ops(["contract", "create", "--address", CONTRACT, "--label", "One"]);
  });
  afterAll(async () => {
    await app?.stop();
    await collector.stop();
  });

  test("have the route, status and request id of an API request, within the caller's trace", async () => {
    const reply = await fetch(`${app.url}/v1/contracts/${CONTRACT}/batches?cursor=${MARK}`, {
      headers: {
        Authorization: `Bearer ${MARK}`,
        Cookie: `${MARK}=${MARK}`,
        "X-Request-Id": "request-1",
        traceparent: `00-${TRACE_ID}-b7ad6b7169203331-01`,
      },
    });
    expect(reply.status).toBe(401);
    const route = "/v1/contracts/{contractAddress}/batches";
    const span = await collector.until(({ name }) => name === `GET ${route}`);
    expect(span.traceId).toBe(TRACE_ID);
    expect(attributesOf(span)).toEqual({
      "http.request.method": "GET",
      "http.route": route,
      "http.response.status_code": 401,
      "ptb.request_id": "request-1",
    });
  });

  test("have the resource attributes of the environment, and a collector that refuses them is logged once", async () => {
    const get = () => fetch(`${app.url}/v1/contracts/${CONTRACT}/batches`);
    await get();
    const text = () => collector.bodies.join();
    const attribute = (key: string, stringValue: string) => JSON.stringify({ key, value: { stringValue } });
    await vi.waitFor(() => expect(text()).toContain(attribute("deployment.environment", "prod")));
    expect(text()).toContain(attribute("service.name", "points"));
    collector.status = 400;
    const before = collector.bodies.length;
    while (collector.bodies.length < before + 3) await get();
    await vi.waitFor(() => expect(app.output()).toContain("traces cannot be exported"));
    expect(app.output().split("traces cannot be exported")).toHaveLength(2);
    collector.status = 200;
  });

  test("contain no secret, URL, query string or error message", async () => {
    const { cookie } = await signInTo(app);
    const headers = { Cookie: `${cookie}; ${MARK}=${MARK}` };
    await fetch(`${app.url}/${MARK}/x?y=${MARK}`, { headers });
    await fetch(`${app.url}/api/auth/callback/oidc?code=${MARK}`, { headers, redirect: "manual" });
    await fetch(`${app.url}/sign-in?to=${MARK}`, { headers });
    await collector.until(({ name }) => name.includes("/sign-in"));
    await app.stop();
    const everything = collector.bodies.join("\n");
    expect(collector.spans().length).toBeGreaterThan(5);
    const session = /session-token=([^;]{20,})/.exec(cookie)![1]!;
    for (const secret of [MARK, CONTRACT, app.admin.password, app.cronSecret, session, "postgres://"])
      expect(everything.includes(secret), secret).toBe(false);
    for (const { status, events } of collector.spans())
      expect([status.message, events?.length ?? 0]).toEqual([undefined, 0]);
  });
});
