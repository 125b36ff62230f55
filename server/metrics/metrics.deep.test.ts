import { randomUUID } from "node:crypto";
import { beforeAll, describe, expect, test } from "vitest";
import { newContractToken } from "@/testing/launch-app";
import { useBuiltApp } from "@/testing/test-database";

const METRICS_TOKEN = "metrics-token-of-this-test";
const CONTRACT = "0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed";

/** Metric values by name and labels. */
function valuesOf(text: string): Map<string, number> {
  const lines = text.split("\n").filter((line) => line !== "" && !line.startsWith("#"));
  return new Map(
    lines.map((line) => {
      const at = line.lastIndexOf(" ");
      return [line.slice(0, at), Number(line.slice(at + 1))];
    }),
  );
}

describe("metrics", () => {
  const app = useBuiltApp({ environment: { METRICS_TOKEN, RATE_LIMIT_PER_MINUTE: "5" } });
  let token: string;
  beforeAll(async () => {
    token = await newContractToken(app, CONTRACT);
  });

  const call = (path: string, init: RequestInit = {}) =>
    fetch(`${app.url}${path}`, { redirect: "manual", ...init });
  const metrics = async () => {
    const reply = await call("/metrics", { headers: { Authorization: `Bearer ${METRICS_TOKEN}` } });
    expect(reply.status).toBe(200);
    expect(reply.headers.get("content-type")).toBe("text/plain; version=0.0.4; charset=utf-8");
    return valuesOf(await reply.text());
  };

  test("requests are counted by route template, no matter which paths callers invent", async () => {
    const headers = { Authorization: `Bearer ${token}`, "Content-Type": "application/json" };
    const path = `/v1/contracts/${CONTRACT}/batches`;
    const body = JSON.stringify({
      pointType: "PHASE2_POINTS",
      secondsToFinalize: 3600,
      transfers: [{ toAddress: `0x${"d".repeat(40)}`, points: "1" }],
    });
    expect((await call(path, { method: "POST", headers, body })).status).toBe(200);
    for (let request = 0; request < 8; request++) await call(path, { headers });
    for (let request = 0; request < 5; request++) {
      for (const unknown of [
        `/v1/${randomUUID()}`,
        `/${randomUUID()}`,
        `/batches/${CONTRACT}/${randomUUID()}`,
      ])
        await (await call(unknown)).text();
    }
    await (await call("/sign-in")).text();
    const values = await metrics();
    const route = "/v1/contracts/{contractAddress}/batches";
    const requests = (method: string, of: string, status: number) =>
      values.get(`ptb_http_requests_total{method="${method}",route="${of}",status="${status}"}`);
    expect(requests("POST", route, 200)).toBe(1);
    expect(requests("GET", route, 200)).toBe(4);
    expect(requests("GET", route, 429)).toBe(4);
    expect(values.get('ptb_rate_limited_total{policy="token"}')).toBe(4);
    expect(requests("GET", "unknown", 404)).toBe(10);
    expect(requests("GET", "/sign-in", 200)).toBe(1);
    expect(values.get(`ptb_http_request_duration_seconds_count{method="GET",route="${route}"}`)).toBe(8);
    expect([...values.keys()].filter((key) => /0x|[0-9a-f]{8}-/i.test(key))).toEqual([]);
  });
});
