import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { createClient } from "./create-client.ts";
import { networkError, ok, problem, type Step, scriptedFetch } from "./testing/scripted-fetch.ts";
import type { WaitOptions } from "./wait-until-finalized.ts";

const START = Date.parse("2026-01-01T00:00:00Z");

beforeEach(() => {
  vi.useFakeTimers({ now: START });
  vi.spyOn(Math, "random").mockReturnValue(1);
});
afterEach(() => {
  vi.useRealTimers();
  vi.restoreAllMocks();
});

const at = (seconds: number) => new Date(START + seconds * 1000);
const batch = (status: string, dueInSeconds: number, headers: Record<string, string> = {}): Response =>
  ok({ batch: { id: "b-1", status, finalizeAt: at(dueInSeconds).toISOString() } }, headers);

/** Waits against scripted replies. @returns the outcome, and the second of each read */
async function wait(steps: Step[], options: WaitOptions = {}) {
  const { fetch, requests } = scriptedFetch(...steps);
  const lookedAt: number[] = [];
  const timed: typeof globalThis.fetch = (...given) => {
    lookedAt.push((Date.now() - START) / 1000);
    return fetch(...given);
  };
  const client = createClient({
    baseUrl: "http://service",
    contractAddress: "0xC0",
    fetch: timed,
    retries: 0,
  });
  const ending = client.waitUntilFinalized("b-1", options).then(
    (value) => ({ value, error: undefined }),
    (error: Error) => ({ value: undefined, error }),
  );
  await vi.runAllTimersAsync();
  return { ...(await ending), requests, lookedAt };
}

test("reads the batch when it is due, then less and less often", async () => {
  const steps = [batch("PENDING", 60), batch("PENDING", 60), batch("FINALIZING", 60), batch("FINALIZED", 60)];
  const { value, lookedAt } = await wait(steps, { pollMs: 1000 });
  expect(value).toMatchObject({ status: "FINALIZED" });
  expect(lookedAt).toEqual([0, 60, 61, 62.5]);
});

test("uses the service's clock to decide when a batch is due", async () => {
  const ahead = { Date: at(3600).toUTCString() };
  const { lookedAt } = await wait([batch("PENDING", 3660, ahead), batch("FINALIZED", 3660)]);
  expect(lookedAt).toEqual([0, 60]);
});

test("keeps waiting while the service is unavailable", async () => {
  const away = [
    networkError("ECONNREFUSED"),
    problem(503, "unavailable"),
    new Response("<html>", { status: 502 }),
  ];
  const { value } = await wait([batch("PENDING", 10), ...away, batch("FINALIZED", 10)]);
  expect(value).toMatchObject({ status: "FINALIZED" });
});

test("gives up on a batch that is not finalized, with its last known state", async () => {
  const forever = Array.from({ length: 40 }, () => () => batch("PENDING", 10));
  const { error } = await wait(forever, { overdueMs: 60_000 });
  expect(error).toMatchObject({ name: "BatchOverdue", batch: { status: "PENDING" } });
  expect(Date.now() - START).toBeGreaterThan(70_000);
  expect(Date.now() - START).toBeLessThan(101_000);
});

test.each([
  [404, "batch_not_found"],
  [403, "wrong_contract"],
])("ends with a refusal %s", async (status, code) => {
  const { error, requests } = await wait([batch("PENDING", 10), problem(status, code)]);
  expect(error).toMatchObject({ name: "ApiProblem", code });
  expect(requests).toHaveLength(2);
});
