import { expect, test } from "vitest";
import { operations, replyErrors } from "./replies";

const submit = operations.find(({ id }) => id === "batches-submit")!;
const headers = {
  "content-type": "application/json",
  "cache-control": "no-store",
  "x-request-id": "trace-1",
};
const good = { status: 200, headers, text: JSON.stringify({ success: true, batchId: "b-1" }) };
const problem = {
  success: false,
  type: "/docs/errors#missing_token",
  title: "Missing access token",
  status: 401,
  detail: "Send one.",
  code: "missing_token",
  requestId: "trace-1",
};
const refusal = {
  status: 401,
  headers: { ...headers, "content-type": "application/problem+json", "www-authenticate": "Bearer realm" },
  text: JSON.stringify(problem),
};
const saying = (change: object) => ({ ...refusal, text: JSON.stringify({ ...problem, ...change }) });

test("a declared reply has no errors", () => {
  expect(replyErrors(submit, good)).toEqual([]);
  expect(replyErrors(submit, refusal)).toEqual([]);
});

const withHeader = (name: string, value?: string) => ({
  ...refusal,
  headers: { ...refusal.headers, [name]: value },
});
test.each([
  ["the status 418 is not declared", { ...good, status: 418 }],
  ["the header x-new is not declared", withHeader("x-new", "1")],
  ["the header www-authenticate is missing", withHeader("www-authenticate")],
  ["the header ratelimit is 5", { ...good, headers: { ...headers, ratelimit: "5" } }],
  ["the media type text/html is not declared", withHeader("content-type", "text/html")],
  ["must NOT have additional properties", { ...good, text: '{"success":true,"batchId":"b","more":1}' }],
  ["the code wrong_contract is not declared", saying({ code: "wrong_contract" })],
  ["must have required property 'detail'", saying({ detail: undefined })],
])("“%s” is found", (error, reply) => {
  expect(replyErrors(submit, reply).join("\n")).toContain(error);
});
