import { connect } from "node:net";
import { afterAll, beforeAll, expect, test } from "vitest";
import { startBuiltApp } from "@/testing/built-app";
import type { BuiltApp } from "@/testing/launch-app";

let app: BuiltApp;
let next: BuiltApp;
beforeAll(async () => {
  [app, next] = await Promise.all([startBuiltApp(), startBuiltApp({ door: "next" })]);
});
afterAll(() => Promise.all([app?.stop(), next?.stop()]));

/** Sends a raw request and returns the status, headers and body of the reply. */
function send(
  method: string,
  path: string,
  door = app,
): Promise<{ status: number; head: string; body: string }> {
  return new Promise((resolve, reject) => {
    let text = "";
    const socket = connect(Number(new URL(door.url).port), "127.0.0.1", () =>
      // HTTP/1.0, so that the body is not chunked.
      socket.write(`${method} ${path} HTTP/1.0\r\nHost: h\r\n\r\n`),
    );
    socket.on("data", (chunk) => {
      text += chunk.toString();
    });
    socket.on("error", reject);
    socket.on("close", () => {
      const [head = "", body = ""] = text.split("\r\n\r\n");
      resolve({ status: Number(head.split(" ")[1]), head, body });
    });
  });
}

test.each([
  ["BREW", "/v1/openapi.json"],
  ["TRACE", "/v1/openapi.json"],
  ["BREW", "/livez"],
  ["PROPFIND", "/livez"],
  ["PROPFIND", "/batches"],
  ["POST", "/readyz"],
  ["DELETE", "/version"],
  ["POST", "/metrics"],
  ["PUT", "/metrics"],
])("%s %s is answered with a 405 problem and an Allow header", async (method, path) => {
  const { status, head, body } = await send(method, path);
  expect(status).toBe(405);
  expect(head).toMatch(/^allow: .*GET/im);
  expect(head).toMatch(/^content-type: application\/problem\+json/im);
  expect(JSON.parse(body)).toMatchObject({ status: 405, code: "method_not_allowed", success: false });
});

test.each(["host", "next"] as const)(
  "paths below /livez, /readyz and /version are a 404 problem (%s)",
  async (door) => {
    for (const path of ["/livez/x", "/readyz/x/y", "/version/x"]) {
      const { status, head, body } = await send("GET", path, door === "host" ? app : next);
      expect(status, path).toBe(404);
      expect(head).toMatch(/^content-type: application\/problem\+json/im);
      expect(JSON.parse(body)).toMatchObject({ status: 404, code: "not_found" });
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
