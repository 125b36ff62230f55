import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import type { Client } from "./create-client.ts";
import type { NewBatch } from "./shapes.ts";
import { runCall } from "./testing/run-call.ts";
import { networkError, ok, problem, type Step } from "./testing/scripted-fetch.ts";

beforeEach(() => {
  vi.useFakeTimers();
  vi.spyOn(Math, "random").mockReturnValue(0.5);
});
afterEach(() => {
  vi.useRealTimers();
  vi.restoreAllMocks();
});

const BATCH: NewBatch = { pointType: "PHASE2_POINTS", transfers: [{ toAddress: "0x1", points: "10.5" }] };
const lost = () => networkError("UND_ERR_SOCKET");
const stored = () => ok({ batchId: "b-1" }, { "Idempotent-Replayed": "true" });
const html = (status: number) => new Response("<html>Bad gateway</html>", { status });

const submit = (client: Client) => client.submitBatch(BATCH);

describe("a submit whose outcome is unknown", () => {
  test.each<[string, () => Step]>([
    ["a lost connection", lost],
    ["a 500", () => problem(500, "internal_error")],
    ["a proxy's page", () => html(502)],
    ["truncated JSON", () => new Response('{"succ', { headers: { "Content-Type": "application/json" } })],
  ])("after %s is sent again under the same id, with the same bytes", async (_, fault) => {
    const { value, requests } = await runCall(submit, [fault(), stored()]);
    expect(value).toEqual({ success: true, batchId: "b-1", replayed: true });
    expect(requests.map(({ method }) => method)).toEqual(["PUT", "PUT"]);
    expect(requests[0]?.url).toMatch(/^http:\/\/service\/api\/v1\/contracts\/0xC0\/batches\/[0-9a-f-]{36}$/);
    expect(requests[1]).toEqual(requests[0]);
    expect(requests[0]?.body).toBe(JSON.stringify(BATCH));
  });

  test("sends the original content, even if the caller changes the object meanwhile", async () => {
    const batch = structuredClone(BATCH);
    const spoil: Step = () => {
      batch.transfers[0]!.points = "999";
      throw lost();
    };
    const { requests } = await runCall((client) => client.submitBatch(batch), [spoil, stored()]);
    expect(requests[1]?.body).toBe(JSON.stringify(BATCH));
  });

  test("stays unknown when a later attempt is refused, and includes its id", async () => {
    const { error, requests } = await runCall(submit, [
      lost(),
      problem(422, "insufficient_points", { available: "1" }),
    ]);
    const batchId = requests[0]?.url.split("/").at(-1);
    expect(error).toMatchObject({ code: "insufficient_points", extra: { available: "1" }, attempts: 2 });
    expect(error).toMatchObject({ outcomeUnknown: true, batchId });
  });
});

describe("a retry", () => {
  test("waits below a bound that doubles, up to `retries` times", async () => {
    const steps = [lost(), lost(), lost(), lost(), lost()];
    const { error, delays, notices } = await runCall(submit, steps, { retries: 4 });
    expect(delays).toEqual([250, 500, 1000, 2000]);
    expect(error).toMatchObject({ name: "ConnectionFailure", attempts: 5 });
    expect(notices[0]).toMatchObject({ attempt: 1, method: "PUT", error: { name: "ConnectionFailure" } });
  });

  test("continues through a restart of half a minute, until the time of the whole call is over", async () => {
    const restart = Array.from({ length: 10 }, () => lost());
    const { value, delays } = await runCall(submit, [...restart, stored()]);
    expect(value).toBeDefined();
    expect(delays.reduce((sum, delay) => sum + delay, 0)).toBeGreaterThan(22_000);
    const { error, requests } = await runCall(
      submit,
      Array.from({ length: 100 }, () => lost()),
    );
    expect(error).toMatchObject({ name: "ConnectionFailure", attempts: requests.length });
    expect(requests.length).toBeLessThan(100);
  });

  test.each([
    [429, "rate_limited"],
    [503, "unavailable"],
  ])("after %s waits as long as Retry-After says", async (status, code) => {
    const { value, delays } = await runCall(submit, [
      problem(status, code, {}, { "Retry-After": "7" }),
      stored(),
    ]);
    expect(value).toBeDefined();
    expect(delays[0]).toBeGreaterThanOrEqual(7_000);
    expect(delays[0]).toBeLessThan(8_000);
  });

  test("ends when the time of the whole call is over, cutting the last attempt short", async () => {
    const never: Step = () => new Promise(() => undefined);
    const startedAt = Date.now();
    const { error } = await runCall(submit, [never, never, never, never], {
      timeoutMs: 4_000,
      totalTimeoutMs: 10_000,
    });
    expect(error).toMatchObject({ name: "ConnectionFailure", reason: "timeout", attempts: 3 });
    expect(Date.now() - startedAt).toBe(10_000);
  });

  test.each([400, 401, 403, 404, 409, 413, 422])("never follows a %s", async (status) => {
    const { error, requests } = await runCall(submit, [problem(status, "validation_failed")]);
    expect(error).toMatchObject({ status });
    expect(requests).toHaveLength(1);
  });
});

describe("a refused token", () => {
  const expired = () => problem(401, "expired_token");

  test.each(["expired_token", "invalid_token"])(
    "with %s is renewed once, and the call continues",
    async (code) => {
      const asked: unknown[] = [];
      const token = (request: { refusedToken: string | null }) => {
        asked.push(request.refusedToken);
        return `t-${asked.length}`;
      };
      const { value, requests } = await runCall(submit, [problem(401, code), stored()], {
        token,
        retries: 0,
      });
      expect(value).toBeDefined();
      expect(asked).toEqual([null, "t-1"]);
      expect(requests.map(({ headers }) => headers.get("Authorization"))).toEqual([
        "Bearer t-1",
        "Bearer t-2",
      ]);
    },
  );

  test.each<[string, unknown, number]>([
    ["is expired as well", ({ refusedToken }: { refusedToken: string | null }) => `${refusedToken}+`, 2],
    ["is the same", () => "t", 1],
    ["cannot be renewed, because it is fixed", "t", 1],
  ])("whose successor %s ends the call", async (_, token, sent) => {
    const { error, requests } = await runCall(submit, [expired(), expired()], { token });
    expect(error).toMatchObject({ code: "expired_token", status: 401 });
    expect(requests).toHaveLength(sent);
  });

  test("may take longer to renew than a call may last, because a person may have to click", async () => {
    const token = ({ refusedToken }: { refusedToken: string | null }) =>
      refusedToken === null ? "t-1" : new Promise<string>((resolve) => setTimeout(resolve, 120_000, "t-2"));
    const never: Step = () => new Promise(() => undefined);
    const { value } = await runCall(submit, [expired(), never, stored()], { token });
    expect(value).toBeDefined();
  });

  test("that cannot be renewed gives the cause, and says that an earlier attempt may have arrived", async () => {
    const token = ({ refusedToken }: { refusedToken: string | null }) => {
      if (refusedToken) throw new TypeError("the wallet is locked");
      return "t-1";
    };
    const { error } = await runCall(submit, [lost(), expired()], { token });
    expect(error).toMatchObject({
      name: "TokenUnavailable",
      outcomeUnknown: true,
      cause: { message: "the wallet is locked" },
    });
  });
});
