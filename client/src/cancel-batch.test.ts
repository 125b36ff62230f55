import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import type { Client } from "./create-client.ts";
import { runCall } from "./testing/run-call.ts";
import { networkError, problem, type Step } from "./testing/scripted-fetch.ts";

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

const lost = () => networkError("UND_ERR_SOCKET");

describe("cancelling", () => {
  const cancel = (client: Client) => client.cancelBatch("b-1");
  const gone = (batchStatus: string) =>
    problem(409, "not_cancellable", { batchStatus, since: "2026-01-01T00:00:00Z" });

  test("succeeds when the first reply was lost and the repeat finds the batch CANCELLED", async () => {
    const { value } = await runCall(cancel, [lost(), gone("CANCELLED")]);
    expect(value).toEqual({ batchId: "b-1" });
  });

  test("fails when the first reply was lost and the repeat finds the batch FINALIZED", async () => {
    const { error } = await runCall(cancel, [lost(), gone("FINALIZED")]);
    expect(error).toMatchObject({ code: "not_cancellable", extra: { batchStatus: "FINALIZED" } });
  });

  test.each<[string, Step[]]>([
    ["on the first attempt", [gone("CANCELLED")]],
    ["after a refusal that changed nothing", [problem(429, "rate_limited"), gone("CANCELLED")]],
    ["after a connection that was never made", [networkError("ECONNREFUSED"), gone("CANCELLED")]],
  ])("fails when it finds the batch CANCELLED %s, because another caller cancelled it", async (_, steps) => {
    const { error } = await runCall(cancel, steps);
    expect(error).toMatchObject({ code: "not_cancellable", outcomeUnknown: false });
  });
});
