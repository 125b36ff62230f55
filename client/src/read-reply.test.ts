import { describe, expect, test } from "vitest";
import { readReply, readRetryAfter } from "./read-reply.ts";
import { failureOf } from "./testing/scripted-fetch.ts";

const json = { "Content-Type": "application/json" };
const read = (status: number, text: string, headers: Record<string, string> = json, maybeUnchanged = false) =>
  readReply(
    { status, text, headers: new Headers(headers) },
    { member: "batchId", maybeUnchanged },
    (words) => words,
  );
const failure = (...given: Parameters<typeof read>) => failureOf((async () => read(...given))());

describe("a reply", () => {
  test.each<[string, number, string]>([
    ["a page where JSON should be", 200, "<html>Sign in to the hotel</html>"],
    ["JSON without success", 200, '{"batchId":"b"}'],
    ["JSON without the expected member", 200, '{"success":true}'],
    ["an array", 200, "[]"],
    ["nothing", 204, ""],
    ["a redirect", 302, ""],
    ["a redirect that a browser hides", 0, ""],
    ["a proxy's problem", 503, '{"title":"no healthy upstream","status":503}'],
    ["a 304 without If-None-Match", 304, ""],
  ])("that is %s is UnexpectedReply", async (_, status, text) => {
    expect(await failure(status, text)).toMatchObject({ name: "UnexpectedReply", status });
  });

  test("304 is accepted after If-None-Match", () => {
    expect(read(304, "", {}, true)).toMatchObject({ status: 304, body: null });
  });

  test("that is an unreadable success is not shown, because it may contain a token", async () => {
    const torn = await failure(200, '{"success":true,"bearerToken":"secret"');
    expect(torn).toMatchObject({ name: "UnexpectedReply", isTorn: true });
    expect(torn.message).not.toContain("secret");
  });
});

describe("a problem", () => {
  const problem = {
    success: false,
    type: "/docs/errors#batch_id_conflict",
    title: "Batch ID already in use",
    status: 409,
    detail: "The ID b is already used by a batch with different content.",
    code: "batch_id_conflict",
    requestId: "r-1",
    storedDigest: "aa",
    sentDigest: "bb",
  };

  test("keeps every member, additional ones in `extra`", async () => {
    expect(await failure(409, JSON.stringify(problem))).toMatchObject({
      name: "ApiProblem",
      message: "batch_id_conflict: The ID b is already used by a batch with different content. (request r-1)",
      code: "batch_id_conflict",
      status: 409,
      requestId: "r-1",
      errors: [],
      errorCount: 0,
      extra: { storedDigest: "aa", sentDigest: "bb" },
      retryAfterSeconds: null,
    });
  });
});

test.each<[string | null, number | null]>([
  [null, null],
  ["0", 0],
  ["42", 42],
  ["-1", null],
  ["soon", null],
  ["Thu, 01 Jan 1970 00:00:30 GMT", 30],
])("Retry-After %j means %j seconds", (value, seconds) => {
  expect(readRetryAfter(value, 0)).toBe(seconds);
});
