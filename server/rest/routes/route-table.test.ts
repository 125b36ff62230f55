import { expect, test } from "vitest";
import document from "@/openapi.json";
import { restRouter } from "@/server/trpc/root";
import { isSafeToRepeat, type Operation, RouteTable } from "./route-table";

function operations(): [string, Operation][] {
  const routes = new RouteTable(restRouter());
  return Object.keys(document.paths).flatMap((path) =>
    [...routes.match(path)!.operations].map(([method, each]): [string, Operation] => [
      `${method} ${path}`,
      each,
    ]),
  );
}

test("each field that makes a request safe to repeat is one of the operation's", () => {
  for (const [name, { repeats, input }] of operations())
    if (repeats !== "always")
      for (const field of repeats) expect(Object.keys(input!.shape), name).toContain(field);
});

test("a POST of a batch is safe to repeat with a key or as a dry run, a reversal with its ID, and no other", () => {
  const unsafe = operations().filter(([, operation]) => !isSafeToRepeat(operation));
  const contract = "POST /v1/contracts/{contractAddress}";
  const fields = Object.fromEntries(unsafe.map(([name, { repeats }]) => [name, repeats]));
  expect(fields).toEqual({
    [`${contract}/batches`]: ["Idempotency-Key", "dryRun"],
    [`${contract}/batches/{batchId}/reversal`]: ["reversalId", "dryRun"],
    [`${contract}/webhooks/{webhookId}/rotate-secret`]: [],
    [`${contract}/webhooks/{webhookId}/test`]: [],
    [`${contract}/snapshots`]: [],
    "POST /v1/dapp-auth/solve": [],
  });
  const [, submit] = unsafe.find(([name]) => name === `${contract}/batches`)!;
  expect(isSafeToRepeat(submit, { "Idempotency-Key": "a" })).toBe(true);
  expect(isSafeToRepeat(submit, { dryRun: true })).toBe(true);
  expect(isSafeToRepeat(submit, { dryRun: false, reversalId: "a" })).toBe(false);
});

test("an operation of which nothing is said is not safe to repeat", () => {
  expect(isSafeToRepeat({ repeats: [] }, { "Idempotency-Key": "a" })).toBe(false);
});
