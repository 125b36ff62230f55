import { MutationObserver } from "@tanstack/react-query";
import { TRPCClientError } from "@trpc/client";
import { expect, test } from "vitest";
import { DomainError, type ProblemCode, toProblem } from "@/terms/problems";
import { problemOf } from "./problem";
import { makeQueryClient } from "./query-client";

const failure = (code: ProblemCode) => {
  const problem = toProblem(new DomainError(code, "PHASE2_GOLD-1 needs 2 PHASE2_GOLD."), "request");
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

test("without a reply, each error says so and what to check, and otherwise what the service says", () => {
  expect(problemOf(noReply()).detail).toMatch(/^Cannot reach the service\..* before you repeat a change/);
  for (const code of ["outcome_unknown", "unavailable", "validation_failed"] as const)
    expect(problemOf(failure(code)).detail).toBe("PHASE2_GOLD-1 needs 2 gold.");
});
