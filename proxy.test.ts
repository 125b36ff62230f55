import { NextRequest } from "next/server";
import { expect, test } from "vitest";
import { proxy } from "./proxy";

const BEARER = { authorization: "Bearer ptb_some-token" };
const CONTRACT = "/contracts/0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed";
const answer = (path: string, headers: Record<string, string>, method = "GET") =>
  proxy(new NextRequest(`https://points.example.com${path}`, { method, headers }));

test.each([
  ["POST", "/dapp-auth/challenge", {}],
  ["PUT", `${CONTRACT}/batches/a`, BEARER],
  ["GET", CONTRACT, { ...BEARER, accept: "application/json" }],
  ["GET", "/", { authorization: "bearer x" }],
  ["GET", "/batches", { ...BEARER, accept: "*/*" }],
])("%s %s of a program is 404 in JSON, which says that /v1 is missing", async (method, path, headers) => {
  const reply = answer(path, headers, method);
  expect([reply.status, reply.headers.get("content-type")]).toEqual([404, "application/problem+json"]);
  const problem = await reply.json();
  expect(problem).toMatchObject({
    success: false,
    code: "not_found",
    detail: expect.stringContaining("/v1"),
  });
});

test.each([
  ["a page", "/batches", {}],
  ["a page behind a proxy that adds a token", "/batches", { ...BEARER, accept: "text/html,*/*" }],
  ["what a page loads behind such a proxy", "/batches", { ...BEARER, accept: "*/*", cookie: "_proxy=1" }],
  ["a guide", "/docs/errors", BEARER],
  ["the guides as text", "/llms.txt", BEARER],
  ["a wallet's page", "/r/0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed", BEARER],
  ["signing in", "/api/auth/csrf", BEARER],
])("%s is passed on", (_, path, headers) => {
  expect(answer(path, headers).headers.get("x-middleware-next")).toBe("1");
});
