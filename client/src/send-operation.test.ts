import { inspect } from "node:util";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { type Client, createClient } from "./create-client.ts";
import { batchDigest } from "./digest.ts";
import type { NewBatch } from "./shapes.ts";
import {
  endlessBody,
  failureOf,
  networkError,
  ok,
  problem,
  runCall,
  type Step,
  scriptedFetch,
} from "./testing/scripted-fetch.ts";
import type { TokenRequest } from "./token.ts";
import type { WaitOptions } from "./wait-until-finalized.ts";

const START = Date.parse("2026-01-01T00:00:00Z");

beforeEach(() => {
  vi.useFakeTimers({ now: START });
  vi.spyOn(Math, "random").mockReturnValue(0.5);
});
afterEach(() => {
  vi.useRealTimers();
  vi.restoreAllMocks();
  vi.unstubAllGlobals();
});

const BATCH: NewBatch = { pointType: "PHASE2_POINTS", transfers: [{ toAddress: "0x1", points: "10.5" }] };
const lost = () => networkError("UND_ERR_SOCKET");
const stored = () => ok({ batchId: "b-1" }, { "Idempotent-Replayed": "true" });
const html = (status: number) => new Response("<html>Bad gateway</html>", { status });

const never: Step = () => new Promise(() => undefined);

const submit = (client: Client) => client.submitBatch(BATCH);
const read = (client: Client) => client.getBalances();

describe("a submit whose outcome is unknown", () => {
  test.each<[string, () => Step]>([
    ["a lost connection", lost],
    ["a 500", () => problem(500, "internal_error")],
    ["an unknown outcome", () => problem(504, "outcome_unknown")],
    ["a proxy's timeout", () => html(504)],
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

describe("what a repeat would do twice", () => {
  const snapshot = (client: Client) => client.takeSnapshot({ pointType: "PHASE2_POINTS" });
  const taken = () => ok({ snapshot: { id: "s-1" } });

  test.each<[string, () => Step]>([
    ["an unknown outcome", () => problem(504, "outcome_unknown")],
    ["a 500", () => problem(500, "internal_error")],
    ["a proxy's 503", () => html(503)],
    ["a proxy's timeout", () => html(504)],
    ["a lost connection", lost],
  ])("is not sent again after %s", async (_, fault) => {
    const { error, requests } = await runCall(snapshot, [fault(), taken()]);
    expect(error).toMatchObject({ attempts: 1, outcomeUnknown: true });
    expect(requests).toHaveLength(1);
  });

  test("is sent again after `unavailable`, which says that it was not applied", async () => {
    const busy = problem(503, "unavailable", {}, { "Retry-After": "2" });
    const { value, requests } = await runCall(snapshot, [busy, taken()]);
    expect(value).toEqual({ id: "s-1" });
    expect(requests).toHaveLength(2);
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

  test("continues through a restart of half a minute", async () => {
    const restart = Array.from({ length: 10 }, () => lost());
    const { value, delays } = await runCall(submit, [...restart, stored()]);
    expect(value).toBeDefined();
    expect(delays.reduce((sum, delay) => sum + delay, 0)).toBeGreaterThan(22_000);
  });

  test.each([429, 503])("after %s waits as long as Retry-After says", async (status) => {
    const busy = problem(status, "busy", {}, { "Retry-After": "7" });
    const { value, delays } = await runCall(submit, [busy, stored()]);
    expect(value).toBeDefined();
    expect(delays[0]).toBeGreaterThanOrEqual(7_000);
    expect(delays[0]).toBeLessThan(8_000);
  });

  test("ends when the time of the whole call is over, cutting the last attempt short", async () => {
    const startedAt = Date.now();
    const { error } = await runCall(submit, [never, never, never, never], {
      timeoutMs: 4_000,
      totalTimeoutMs: 10_000,
    });
    expect(error).toMatchObject({ name: "ConnectionFailure", reason: "timeout", attempts: 3 });
    expect(Date.now() - startedAt).toBe(10_000);
  });

  test("never follows a refusal", async () => {
    for (const status of [400, 401, 403, 404, 409, 413, 422]) {
      const { error, requests } = await runCall(submit, [problem(status, "validation_failed")]);
      expect(error).toMatchObject({ status });
      expect(requests).toHaveLength(1);
    }
  });
});

describe("a refused token", () => {
  const expired = () => problem(401, "expired_token");

  test.each(["expired_token", "invalid_token"])(
    "with %s is renewed once, and the call continues",
    async (code) => {
      const asked: unknown[] = [];
      const token = ({ refusedToken }: TokenRequest) => `t-${asked.push(refusedToken)}`;
      const { value, requests } = await runCall(submit, [problem(401, code), stored()], {
        token,
        retries: 0,
      });
      expect(value).toBeDefined();
      expect(asked).toEqual([null, "t-1"]);
      const sent = requests.map(({ headers }) => headers.get("Authorization"));
      expect(sent).toEqual(["Bearer t-1", "Bearer t-2"]);
    },
  );

  test.each<[string, unknown, number]>([
    ["is expired as well", ({ refusedToken }: TokenRequest) => `${refusedToken}+`, 2],
    ["is the same", () => "t", 1],
    ["cannot be renewed, because it is fixed", "t", 1],
  ])("whose successor %s ends the call", async (_, token, sent) => {
    const { error, requests } = await runCall(submit, [expired(), expired()], { token });
    expect(error).toMatchObject({ code: "expired_token", status: 401 });
    expect(requests).toHaveLength(sent);
  });

  test("that cannot be renewed gives the cause, and an earlier attempt may have arrived", async () => {
    const token = ({ refusedToken }: TokenRequest) => {
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

describe("cancelling", () => {
  const cancel = (client: Client) => client.cancelBatch("b-1");
  const gone = (batchStatus: string) => problem(409, "not_cancellable", { batchStatus, since: "2026-01-01" });

  test("succeeds when the first reply was lost and the repeat finds the batch CANCELLED", async () => {
    expect((await runCall(cancel, [lost(), gone("CANCELLED")])).value).toEqual({ batchId: "b-1" });
  });

  test.each<[string, Step[]]>([
    ["FINALIZED after a lost reply", [lost(), gone("FINALIZED")]],
    ["CANCELLED on the first attempt", [gone("CANCELLED")]],
    ["CANCELLED after a refusal that changed nothing", [problem(429, "rate_limited"), gone("CANCELLED")]],
    ["CANCELLED after a connection that was never made", [networkError("ECONNREFUSED"), gone("CANCELLED")]],
  ])("fails when it finds the batch %s", async (_, steps) => {
    expect((await runCall(cancel, steps)).error).toMatchObject({ code: "not_cancellable" });
  });
});

test("a list whose cursor repeats ends with an error", async () => {
  const page = () => ok({ batch: [{ id: "a" }], cursor: "k1" });
  const all = async (client: Client) => {
    for await (const { id } of client.iterateBatches({ limit: 1 })) expect(id).toBe("a");
  };
  const { error, requests } = await runCall(all, [page(), page()]);
  expect(error).toMatchObject({ name: "UnexpectedReply" });
  expect(requests.map(({ url }) => url.split("?")[1])).toEqual(["limit=1", "limit=1&cursor=k1"]);
});

describe("a request", () => {
  test.each<[string, () => Promise<Response> | Response]>([
    ["never comes, from a fetch that ignores its signal", () => new Promise(() => undefined)],
    ["has a body that never ends", endlessBody],
  ])("whose reply %s is aborted at its timeout, and leaves no timer behind", async (_, reply) => {
    const signals: AbortSignal[] = [];
    const step: Step = (_request, signal) => {
      signals.push(signal);
      return reply();
    };
    const { error } = await runCall(read, [step], { timeoutMs: 2000, retries: 0 });
    expect(error).toMatchObject({ name: "ConnectionFailure", reason: "timeout", attempts: 1 });
    expect([Date.now() - START, signals[0]?.aborted, vi.getTimerCount()]).toEqual([2000, true, 0]);
  });

  test.each([
    ["before it is sent", 0],
    ["while the body arrives", 1],
  ])("that is aborted %s rejects with the signal's reason, and nothing more is sent", async (_, sent) => {
    const controller = new AbortController();
    const reason = new Error("the page was closed");
    if (sent === 0) controller.abort(reason);
    else setTimeout(() => controller.abort(reason), 5);
    const { error, requests } = await runCall(
      (client) => client.getBalances({ signal: controller.signal }),
      [endlessBody],
    );
    expect(error).toBe(reason);
    expect(requests).toHaveLength(sent);
  });

  test("that certainly never arrived has no unknown outcome", async () => {
    const { error } = await runCall(submit, [networkError("ECONNREFUSED")], { retries: 0 });
    expect(error).toMatchObject({ name: "ConnectionFailure", outcomeUnknown: false, attempts: 1 });
    expect(error?.message).toContain("ECONNREFUSED");
  });

  test.each<[string, Step]>([
    [
      "a fetch that attaches the request to its error",
      new Error("no route for Bearer ptb_secret", { cause: { token: "ptb_secret" } }),
    ],
    ["a proxy that prints the request", new Response("<p>Bearer ptb_secret", { status: 502 })],
    ["a problem that repeats the request", problem(401, "invalid_token", { detail: "ptb_secret" })],
  ])("leaves its token out of every error: %s", async (_, step) => {
    const { error } = await runCall(read, [step], { token: "ptb_secret", retries: 0 });
    expect(inspect(error, { depth: 10, showHidden: true })).not.toContain("ptb_secret");
    expect(error?.message).toContain("[token]");
  });

  test.each(["two words", "line\nbreak", "ünicode", ""])("is not sent with the token %j", async (token) => {
    const { error, requests } = await runCall(read, [], { token });
    expect(error?.name).toBe("TokenUnavailable");
    if (token) expect(String(error?.stack)).not.toContain(token);
    expect(requests).toHaveLength(0);
  });
});

describe("arguments that cannot be sent", () => {
  test.each<[string, (client: Client) => Promise<unknown>]>([
    ["an empty batch id", (client) => client.getBatch("")],
    ["a batch id that is a relative URL path", (client) => client.cancelBatch("..")],
    ["half a surrogate pair", (client) => client.getBatch("\ud800")],
    ["a BigInt", (client) => client.submitBatch({ ...BATCH, secondsToFinalize: 1n as unknown as number })],
    ["a wait that is not a number", (client) => client.waitUntilFinalized("b-1", { pollMs: Number.NaN })],
  ])("%s is InvalidArgument, and nothing is sent", async (_, call) => {
    const { error, requests } = await runCall(call, []);
    expect(error).toMatchObject({ name: "InvalidArgument" });
    expect(requests).toHaveLength(0);
  });

  test.each(["", "service", "ftp://service", "http://me:secret@service", "http://service?a=1"])(
    "baseUrl %j",
    (baseUrl) => {
      expect(() => createClient({ baseUrl })).toThrow(expect.objectContaining({ name: "InvalidArgument" }));
    },
  );

  test("no contract anywhere, and a page without https, which has no UUID and no SHA-256", async () => {
    const refused = { name: "InvalidArgument" };
    expect(await failureOf(createClient({ baseUrl: "http://service" }).getBalances())).toMatchObject(refused);
    vi.stubGlobal("crypto", {});
    expect((await runCall(submit, [])).error).toMatchObject(refused);
    expect(await failureOf(batchDigest("0xC0", BATCH))).toMatchObject(refused);
  });
});

describe("a reply", () => {
  const reply = (status: number, text: string) =>
    new Response(text || null, { status, headers: { "Content-Type": "application/json" } });

  test.each<[string, Response]>([
    ["a page where JSON should be", reply(200, "<html>Sign in to the hotel</html>")],
    ["JSON without success", reply(200, '{"balancesByPointType":{}}')],
    ["JSON without the expected member", reply(200, '{"success":true}')],
    ["an array", reply(200, "[]")],
    ["nothing", reply(204, "")],
    ["a redirect", reply(302, "")],
    ["a redirect that a browser hides", Response.error()],
    ["a proxy's problem", reply(503, '{"title":"no healthy upstream","status":503}')],
    ["a 304 without If-None-Match", reply(304, "")],
  ])("that is %s is UnexpectedReply", async (_, step) => {
    const { error } = await runCall(read, [step], { retries: 0 });
    expect(error).toMatchObject({ name: "UnexpectedReply", status: step.status });
  });

  test("that is an unreadable success is not shown, because it may contain a token", async () => {
    const { error } = await runCall(read, [reply(200, '{"success":true,"bearerToken":"secret"')], {
      retries: 0,
    });
    expect(error).toMatchObject({ name: "UnexpectedReply", isTorn: true });
    expect(error?.message).not.toContain("secret");
  });

  test("that is a problem keeps every member, additional ones in `extra`", async () => {
    const conflict = problem(409, "batch_id_conflict", { detail: "Taken.", storedDigest: "aa" });
    const { error } = await runCall(submit, [conflict]);
    expect(error).toMatchObject({
      name: "ApiProblem",
      message: "batch_id_conflict: Taken. (request r-1)",
      code: "batch_id_conflict",
      status: 409,
      requestId: "r-1",
      errors: [],
      errorCount: 0,
      extra: { storedDigest: "aa" },
      retryAfterSeconds: null,
    });
  });

  test.each<[string | null, number | null]>([
    [null, null],
    ["0", 0],
    ["42", 42],
    ["-1", null],
    ["soon", null],
    [new Date(START + 30_000).toUTCString(), 30],
  ])("with Retry-After %j says %j seconds", async (value, seconds) => {
    const limited = problem(429, "rate_limited", {}, value === null ? {} : { "Retry-After": value });
    const { error } = await runCall(read, [limited], { retries: 0 });
    expect(error).toMatchObject({ retryAfterSeconds: seconds });
  });
});

describe("waiting until a batch is finalized", () => {
  const at = (seconds: number) => new Date(START + seconds * 1000);
  const batch = (status: string, dueInSeconds: number, headers: Record<string, string> = {}) =>
    ok({ batch: { id: "b-1", status, finalizeAt: at(dueInSeconds).toISOString() } }, headers);

  /** @returns the outcome, and the second of each read */
  async function wait(steps: Step[], options: WaitOptions = {}) {
    vi.mocked(Math.random).mockReturnValue(1);
    const lookedAt: number[] = [];
    const { fetch, requests } = scriptedFetch(...steps);
    const timed: typeof fetch = (...given) => {
      lookedAt.push((Date.now() - START) / 1000);
      return fetch(...given);
    };
    const ended = await runCall((client) => client.waitUntilFinalized("b-1", options), [], {
      fetch: timed,
      retries: 0,
    });
    return { ...ended, requests, lookedAt };
  }

  test("reads the batch when it is due, then less and less often", async () => {
    const steps = ["PENDING", "PENDING", "FINALIZING", "FINALIZED"].map((status) => batch(status, 60));
    const { value, lookedAt } = await wait(steps, { pollMs: 1000 });
    expect(value).toMatchObject({ status: "FINALIZED" });
    expect(lookedAt).toEqual([0, 60, 61, 62.5]);
  });

  test("uses the service's clock to decide when a batch is due", async () => {
    const ahead = { Date: at(3600).toUTCString() };
    const { lookedAt } = await wait([batch("PENDING", 3660, ahead), batch("FINALIZED", 3660)]);
    expect(lookedAt).toEqual([0, 60]);
  });

  test("continues while the service is unavailable, and ends with a refusal", async () => {
    const away = [networkError("ECONNREFUSED"), problem(503, "unavailable"), html(502)];
    const { value } = await wait([batch("PENDING", 10), ...away, batch("FINALIZED", 10)]);
    expect(value).toMatchObject({ status: "FINALIZED" });
    const { error, requests } = await wait([batch("PENDING", 10), problem(403, "wrong_contract")]);
    expect(error).toMatchObject({ name: "ApiProblem", code: "wrong_contract" });
    expect(requests).toHaveLength(2);
  });

  test("gives up on a batch that is not finalized, with its last known state", async () => {
    const forever = Array.from({ length: 40 }, () => () => batch("PENDING", 10));
    const { error } = await wait(forever, { overdueMs: 60_000 });
    expect(error).toMatchObject({ name: "BatchOverdue", batch: { status: "PENDING" } });
    expect(Date.now() - START).toBeGreaterThan(70_000);
    expect(Date.now() - START).toBeLessThan(101_000);
  });
});
