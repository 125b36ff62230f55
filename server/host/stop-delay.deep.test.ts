import { afterAll, expect, test } from "vitest";
import { type LaunchedApp, launchBuiltApp } from "@/testing/launch-app";

const METRICS_TOKEN = "metrics-token-of-this-test";
let app: LaunchedApp | undefined;
afterAll(() => app?.stop());

test("a stopping process reports not ready, but keeps serving requests until STOP_DELAY_SECONDS is over", async () => {
  app = await launchBuiltApp({ environment: { STOP_DELAY_SECONDS: "4", METRICS_TOKEN } });
  await app.ready();
  const { url } = app;
  const readyz = () => fetch(`${url}/readyz`, { headers: { authorization: `Bearer ${METRICS_TOKEN}` } });
  const stopped = app.kill("SIGTERM");
  let ready = await readyz();
  while (ready.status === 200) ready = await readyz();
  expect(ready.status).toBe(503);
  expect(ready.headers.get("retry-after")).toBe("2");
  expect(await ready.json()).toMatchObject({
    code: "unavailable",
    ready: false,
    checks: { draining: true, database: "up", schema: "current" },
  });
  const served = await fetch(`${app.url}/v1/openapi.json`);
  expect([served.status, served.headers.get("connection")]).toEqual([200, "close"]);
  expect((await fetch(`${app.url}/livez`)).status).toBe(200);
  await stopped;
  expect(app.exitCode()).toBe(0);
});
