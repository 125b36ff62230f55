import { expect, test } from "vitest";
import { createClient } from "./create-client.ts";
import type { CancelledPayout } from "./shapes.ts";

/** Cancels a payout at a service that answers each request with the next pair of `cancelled` and `left`. */
async function cancelAt(...replies: [cancelled: number, left: number][]) {
  const seen: CancelledPayout[] = [];
  let requests = 0;
  const client = createClient({
    baseUrl: "http://service.test",
    token: "t",
    contractAddress: `0x${"1".repeat(40)}`,
    retries: 0,
    fetch: async () => {
      const [cancelled, left] = replies[requests++]!;
      const counts = {
        pending: left,
        onHold: 0,
        awaitingApproval: 0,
        finalizing: 0,
        finalized: 3,
        cancelled,
      };
      return Response.json({ success: true, payoutId: "p", cancelled, left, detail: "Repeat.", counts });
    },
  });
  const done = await client.cancelPayout("p", { onProgress: (one) => seen.push(one) });
  return { done, requests, progress: seen.map(({ cancelled, left }) => [cancelled, left]) };
}

test("a payout is cancelled in as many requests as that takes, and each is reported with all that is done so far", async () => {
  const { done, requests, progress } = await cancelAt([250, 350], [0, 350 - 1], [349, 0]);
  expect(requests).toBe(3);
  expect(progress).toEqual([
    [250, 350],
    [250, 349],
    [599, 0],
  ]);
  expect(done).toMatchObject({
    payoutId: "p",
    cancelled: 599,
    left: 0,
    counts: { pending: 0, finalized: 3 },
  });
  expect(Object.keys(done).sort()).toEqual(["cancelled", "counts", "left", "payoutId"]);
});

test("a payout of which nothing more is cancelled is not asked about forever", async () => {
  const { done, requests } = await cancelAt([250, 5], [0, 5], [0, 0]);
  expect([requests, done.cancelled, done.left]).toEqual([2, 250, 5]);
});
