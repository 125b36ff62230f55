import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, beforeAll, expect, test } from "vitest";
import { version } from "@/package.json";
import { answerRequests } from "./answer-requests";

/** It answers nothing, so what is answered was answered by the host. */
const next = { handle: () => Promise.reject(new Error("Next was asked")) } as never;
const server = createServer((message, reply) =>
  answerRequests(next, null, false)(message, reply, message.url!),
);
let url: string;

beforeAll(async () => {
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
afterAll(() => server.close());

test("the host answers what machines ask itself, so that a probe turns on none of Next's async hooks", async () => {
  const alive = await fetch(`${url}/livez`);
  expect(alive.headers.get("x-content-type-options")).toBe("nosniff");
  expect(await alive.json()).toEqual({ alive: true });
  expect(await (await fetch(`${url}/version/?a=1`)).json()).toEqual({ version });
});

test.each([
  ["GET", "/livez/x", 404],
  ["POST", "/livez", 405],
  ["OPTIONS", "/version", 204],
  ["HEAD", "/version", 200],
  ["OPTIONS", "/livez", 204],
  ["GET", "/readyz", 503],
  ["HEAD", "/readyz", 503],
  ["OPTIONS", "/readyz", 503],
  ["GET", "/metrics", 404],
  ["GET", "/livezz", 500],
])("%s %s is answered with %i", async (method, path, status) => {
  const reply = await fetch(url + path, { method });
  expect(reply.status).toBe(status);
  await reply.arrayBuffer();
});
