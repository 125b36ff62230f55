import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { startBuiltApp } from "@/testing/built-app";
import { type BuiltApp, newContractToken } from "@/testing/launch-app";
import { createClient } from "./create-client.ts";
import type { Batch, NewBatch } from "./shapes.ts";
import { type ReplyCuttingProxy, startReplyCuttingProxy } from "./testing/reply-cutting-proxy.ts";

const CONTRACT = "0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed";
const CALLERS = 8;
const BATCHES_PER_CALLER = 12;
const SEED = 20_261_121;

let app: BuiltApp;
let proxy: ReplyCuttingProxy;
let token: string;

beforeAll(async () => {
  // Waits between attempts are minimal, because this test is about repeats.
  vi.spyOn(Math, "random").mockReturnValue(0.02);
  app = await startBuiltApp({ environment: { MINIMUM_FINALIZE_SECONDS: "1", RATE_LIMIT_PER_MINUTE: "0" } });
  proxy = await startReplyCuttingProxy(app.url, randomFrom(SEED));
  token = await newContractToken(app, CONTRACT);
});
afterAll(async () => {
  vi.restoreAllMocks();
  await proxy?.stop();
  await app?.stop();
});

test("with lost replies, no batch is lost or stored twice, and cancels happen once", async () => {
  const client = createClient({ baseUrl: proxy.url, token, contractAddress: CONTRACT, retries: 25 });
  const wanted = new Map<string, "FINALIZED" | "CANCELLED">();
  let replays = 0;
  const caller = async (number: number) => {
    for (let i = 0; i < BATCHES_PER_CALLER; i++) {
      const willCancel = i % 3 === 0;
      const { batchId, replayed } = await client.submitBatch(batchOf(number, i, willCancel ? 3600 : 1));
      if (replayed) replays++;
      if (willCancel) await client.cancelBatch(batchId);
      wanted.set(batchId, willCancel ? "CANCELLED" : "FINALIZED");
    }
  };
  await Promise.all(Array.from({ length: CALLERS }, (_, number) => caller(number)));
  for (const [batchId, status] of wanted) {
    if (status === "FINALIZED") await client.waitUntilFinalized(batchId, { pollMs: 100 });
  }

  const found: Batch[] = [];
  for await (const batch of client.iterateBatches({ limit: 20 })) found.push(batch);
  expect(new Map(found.map(({ id, status }) => [id, status]))).toEqual(wanted);
  expect(found).toHaveLength(CALLERS * BATCHES_PER_CALLER);
  expect(replays).toBeGreaterThan(10);
  expect(proxy.cuts()).toBeGreaterThan(50);

  const finalized = [...wanted.values()].filter((status) => status === "FINALIZED").length;
  expect((await client.getBalances()).PHASE2_POINTS).toMatchObject({
    pendingSent: "0",
    finalizedSentCumulative: String(finalized * 2),
  });
  expect(JSON.parse(await app.ops(["verify-ledger", "--json"]))).toMatchObject({ ok: true });
});

/** Two points to two wallets. All callers pay the same wallets, and every batch is different. */
function batchOf(caller: number, index: number, secondsToFinalize: number): NewBatch {
  const share = `0.${String(100 + caller * BATCHES_PER_CALLER + index)}`;
  const rest = (2000 - Number(share) * 1000) / 1000;
  return {
    pointType: "PHASE2_POINTS",
    secondsToFinalize,
    transfers: [
      { toAddress: `0x${"a".repeat(40)}`, points: share },
      { toAddress: `0x${"b".repeat(40)}`, points: rest.toFixed(3) },
    ],
  };
}

/** mulberry32; the same seed cuts the same replies, if their order is the same. */
function randomFrom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}
