import { MutationObserver } from "@tanstack/react-query";
import { TRPCClientError } from "@trpc/client";
import { expect, test } from "vitest";
import { DomainError, type ProblemCode, toProblem } from "@/terms/problems";
import { problemOf } from "./problem";
import { makeQueryClient } from "./query-client";

const failure = (code: ProblemCode) => {
  const problem = toProblem(new DomainError(code, "It failed."), "request");
  return TRPCClientError.from({ error: { message: "", code: -32603, data: { problem } } } as never);
};
const noReply = () => TRPCClientError.from(new TypeError("Failed to fetch"));

test.each([
  ["no reply", noReply],
  ["an unknown outcome", () => failure("outcome_unknown")],
  ["what was not applied", () => failure("unavailable")],
])("the console never repeats a change by itself: %s", async (_, fail) => {
  let sent = 0;
  const change = new MutationObserver(makeQueryClient(), {
    mutationFn: async () => {
      sent++;
      throw fail();
    },
  });
  await expect(change.mutate()).rejects.toThrow();
  expect(sent).toBe(1);
});

test("after an unknown outcome or without a reply, the console says to check first, and otherwise not", () => {
  const first = /check whether it was applied/;
  expect(problemOf(failure("outcome_unknown")).detail).toMatch(first);
  expect(problemOf(noReply()).detail).toMatch(first);
  for (const code of ["unavailable", "validation_failed"] as const)
    expect(problemOf(failure(code)).detail).toBe("It failed.");
});
