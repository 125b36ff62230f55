import { afterAll, beforeAll, expect, test } from "vitest";
import { startBuiltApp } from "@/testing/built-app";
import type { BuiltApp } from "@/testing/launch-app";
import { sendRaw } from "@/testing/send-raw";

let app: BuiltApp;
let next: BuiltApp;
beforeAll(async () => {
  [app, next] = await Promise.all([startBuiltApp(), startBuiltApp({ door: "next" })]);
});
afterAll(() => Promise.all([app?.stop(), next?.stop()]));

const send = (method: string, path: string, door = app) =>
  sendRaw(door.url, { method, path, headers: [], body: [] });

test.each([
  ["BREW", "/v1/openapi.json"],
  ["TRACE", "/v1/openapi.json"],
  ["BREW", "/livez"],
  ["PROPFIND", "/livez"],
  ["PROPFIND", "/batches"],
  ["PUT", "/metrics"],
])("%s %s is answered with a 405 problem and an Allow header", async (method, path) => {
  const { status, headers, text } = await send(method, path);
  expect(status).toBe(405);
  expect(headers.allow).toContain("GET");
  expect(headers["content-type"]).toBe("application/problem+json");
  expect(JSON.parse(text)).toMatchObject({ status: 405, code: "method_not_allowed", success: false });
});

test.each(["host", "next"] as const)(
  "paths below /livez, /readyz and /version are a 404 problem (%s)",
  async (door) => {
    for (const path of ["/livez/x", "/readyz/x/y", "/version/x"]) {
      const { status, headers, text } = await send("GET", path, door === "host" ? app : next);
      expect(status, path).toBe(404);
      expect(headers["content-type"]).toBe("application/problem+json");
      expect(JSON.parse(text)).toMatchObject({ status: 404, code: "not_found" });
    }
  },
);

test("X-Forwarded-Host has no effect without a trusted proxy", async () => {
  const reply = await fetch(`${app.url}/api/auth/providers`, {
    headers: {
      "X-Forwarded-Host": "evil.example",
      "X-Forwarded-Proto": "https",
      Forwarded: "host=evil.example",
    },
  });
  const text = await reply.text();
  expect(text).not.toContain("evil.example");
  expect(text).toContain(`${app.url}/api/auth/signin/`);
});
