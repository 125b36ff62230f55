import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { ConnectionFailure } from "./connection-failure.ts";
import { createClient } from "./create-client.ts";
import { endlessBody, failureOf, networkError, type Step, scriptedFetch } from "./testing/scripted-fetch.ts";

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

const TOKEN = "ptb_secret-of-this-test";
const CONTRACT = `0x${"c".repeat(40)}`;
const clientOf = (fetch: typeof globalThis.fetch, more: object = {}) =>
  createClient({
    baseUrl: "http://service",
    token: TOKEN,
    contractAddress: CONTRACT,
    retries: 0,
    fetch,
    ...more,
  });

const never: Step = () => new Promise(() => undefined);

test.each([
  ["that never comes, from a fetch that ignores its signal", never],
  ["whose body never ends", endlessBody],
])("a reply %s fails at the timeout", async (_, step) => {
  const { fetch } = scriptedFetch(step);
  const failing = failureOf(clientOf(fetch, { timeoutMs: 2_000 }).getBalances());
  await vi.advanceTimersByTimeAsync(1_999);
  expect(await Promise.race([failing, Promise.resolve("still waiting")])).toBe("still waiting");
  await vi.advanceTimersByTimeAsync(1);
  expect(await failing).toMatchObject({ name: "ConnectionFailure", reason: "timeout", attempts: 1 });
});

test("a timeout aborts the request, and leaves no timer behind", async () => {
  let aborted = false;
  const { fetch } = scriptedFetch((_, signal) => {
    signal.addEventListener("abort", () => {
      aborted = true;
    });
    return endlessBody();
  });
  const failing = failureOf(clientOf(fetch, { timeoutMs: 10 }).getBalances());
  await vi.advanceTimersByTimeAsync(10);
  await failing;
  expect(aborted).toBe(true);
  expect(vi.getTimerCount()).toBe(0);
});

test.each([
  ["before the request", 0],
  ["while the body arrives", 1],
])("an abort %s rejects with the signal's reason, and nothing more is sent", async (_, sentBefore) => {
  const { fetch, requests } = scriptedFetch(endlessBody);
  const controller = new AbortController();
  const reason = new Error("the page was closed");
  if (sentBefore === 0) controller.abort(reason);
  const failing = failureOf(clientOf(fetch, { retries: 4 }).getBalances({ signal: controller.signal }));
  await vi.advanceTimersByTimeAsync(5);
  controller.abort(reason);
  await vi.advanceTimersByTimeAsync(60_000);
  expect(await failing).toBe(reason);
  expect(requests).toHaveLength(sentBefore);
});

test.each([
  ["ECONNREFUSED", false],
  ["UND_ERR_SOCKET", true],
])("a submit that fails with %s has outcomeUnknown %s", async (code, outcomeUnknown) => {
  const { fetch } = scriptedFetch(networkError(code));
  const batch = { pointType: "PHASE2_POINTS" as const, transfers: [] };
  const failure = await failureOf(clientOf(fetch).submitBatch(batch, { batchId: "b-1" }));
  expect(failure).toBeInstanceOf(ConnectionFailure);
  expect(failure).toMatchObject({ outcomeUnknown, batchId: "b-1", attempts: 1 });
  expect(failure.message).toContain(code);
});

test.each<[string, Step]>([
  [
    "a fetch that attaches the request to its error",
    new Error(`no route for Bearer ${TOKEN}`, { cause: { TOKEN } }),
  ],
  ["a proxy that prints the request", new Response(`<p>Authorization: Bearer ${TOKEN}`, { status: 502 })],
  [
    "a problem that repeats the request",
    () =>
      Response.json(
        { success: false, code: "invalid_token", status: 401, detail: TOKEN, requestId: "r" },
        { status: 401 },
      ),
  ],
])("no part of the error contains the token: %s", async (_, step) => {
  const { fetch } = scriptedFetch(step);
  const failure = await failureOf(clientOf(fetch).getBalances());
  const { inspect } = await import("node:util");
  expect(inspect(failure, { depth: 10, showHidden: true })).not.toContain("secret-of-this-test");
  expect(failure.message).toContain("[token]");
});

test.each(["two words", "line\nbreak", "ünicode", ""])(
  "the token %j is refused, and not shown in the error",
  async (token) => {
    const { fetch, requests } = scriptedFetch();
    const failure = await failureOf(clientOf(fetch, { token }).getBalances());
    expect(failure.name).toBe("TokenUnavailable");
    if (token) expect(String(failure.stack)).not.toContain(token);
    expect(requests).toHaveLength(0);
  },
);
