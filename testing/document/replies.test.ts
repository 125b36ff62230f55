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

test.each([
  ["an undeclared status", { ...good, status: 418 }, "the status 418 is not declared"],
  [
    "an undeclared header",
    { ...good, headers: { ...headers, "x-new": "1" } },
    "the header x-new is not declared",
  ],
  [
    "a missing header",
    { ...refusal, headers: { ...refusal.headers, "www-authenticate": undefined } },
    "the header www-authenticate is missing",
  ],
  [
    "a header with an invalid value",
    { ...good, headers: { ...headers, ratelimit: "5" } },
    "the header ratelimit is 5",
  ],
  [
    "another media type",
    { ...good, headers: { ...headers, "content-type": "text/html" } },
    "the media type text/html is not declared",
  ],
  [
    "an undeclared field",
    { ...good, text: '{"success":true,"batchId":"b","more":1}' },
    "must NOT have additional properties",
  ],
  [
    "a code with the wrong status",
    saying({ code: "wrong_contract" }),
    "the code wrong_contract is not declared",
  ],
  ["a problem without detail", saying({ detail: undefined }), "must have required property 'detail'"],
])("%s is an error", (_, reply, error) => {
  expect(replyErrors(submit, reply).join("\n")).toContain(error);
});
