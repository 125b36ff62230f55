import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { BuiltApp } from "@/testing/launch-app";
import { type Client, createClient } from "./create-client.ts";
import { batchDigest, verifyDigest } from "./digest.ts";
import { batchOf, type ClientWorld, CONTRACT, PREFUNDED, startClientWorld } from "./testing/client-world.ts";
import { failureOf } from "./testing/scripted-fetch.ts";

let world: ClientWorld;
let app: BuiltApp;
let token: string;
let client: Client;
let prefunded: Client;

beforeAll(async () => {
  world = await startClientWorld();
  ({ app, token, client, prefunded } = world);
});
afterAll(() => world?.stop());

describe("submitting", () => {
  test("stores the batch under a UUID, and recognizes a repeat under that id", async () => {
    const batch = batchOf("10.50", { secondsToFinalize: 3600 });
    const { batchId, replayed } = await client.submitBatch(batch);
    expect(batchId).toMatch(/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/);
    expect(replayed).toBe(false);
    expect(await client.submitBatch(batch, { batchId })).toMatchObject({ batchId, replayed: true });
    expect(await client.getBatch(batchId)).toMatchObject({
      id: batchId,
      contractAddress: CONTRACT,
      status: "PENDING",
      points: "10.5",
      transfers: [{ points: "10.5" }],
    });
  });

  test("the digest can be computed beforehand, and verified afterwards", async () => {
    for (const batch of [batchOf("1.10", { secondsToFinalize: 86_400 }), batchOf("0.01")]) {
      const { batchId } = await client.submitBatch(batch);
      const stored = await client.getBatch(batchId);
      expect(stored.digest).toBe(await batchDigest(CONTRACT, batch));
      expect(await verifyDigest(stored)).toBe(true);
    }
  });

  test("every id that the service accepts works", async () => {
    for (const batchId of ["a:b~c_d.e-f", "...", "x".repeat(64)]) {
      await client.submitBatch(batchOf("1"), { batchId });
      expect((await client.getBatch(batchId)).id).toBe(batchId);
    }
  });

  test("a dry run returns what a submit would do, and stores nothing", async () => {
    const before = await client.getBalances();
    const batchId = "dry-1";
    const dry = await client.submitBatch(batchOf("3.50"), { dryRun: true, batchId });
    expect(dry).toMatchObject({ dryRun: true, batchId, replayed: false, points: "3.5", transferCount: 1 });
    expect(dry.digest).toBe(await batchDigest(CONTRACT, batchOf("3.5")));
    expect(await client.dryRunBatch(batchOf("3.5"))).toMatchObject({ batchId: null, digest: dry.digest });
    expect(await client.getBalances()).toEqual(before);
    expect(await failureOf(client.getBatch(batchId))).toMatchObject({ code: "batch_not_found" });
  });
});

describe("reading", () => {
  test("returns all batches of a query page by page, each once, in order", async () => {
    const made: string[] = [];
    for (let i = 0; i < 7; i++) {
      made.push((await client.submitBatch(batchOf("0.5", { pointType: "PHASE2_GOLD" }))).batchId);
    }
    const found: string[] = [];
    for await (const batch of client.iterateBatches({ pointType: "PHASE2_GOLD", sort: "ASC", limit: 3 })) {
      found.push(batch.id);
    }
    expect(found).toEqual(made);
    const page = await client.listBatches({ pointType: "PHASE2_GOLD", limit: 3 });
    expect(page.batches.map(({ id }) => id)).toEqual(made.reverse().slice(0, 3));
    const mixed = client.listBatches({ limit: 3, cursor: page.cursor! });
    expect(await failureOf(mixed)).toMatchObject({ code: "cursor_mismatch", status: 400 });
  });

  test("balances are decimal strings per point type", async () => {
    await app.ops(["points", "grant", "--contract", PREFUNDED, "--type", "PHASE2_GOLD", "--amount", "12.5"]);
    expect((await prefunded.getBalances()).PHASE2_GOLD).toMatchObject({
      available: "12.5",
      pendingSent: "0",
    });
  });
});

describe("statements", () => {
  const month = new Date().toISOString().slice(0, 7);

  test("of the current month close with the balances, per point type or for one of them", async () => {
    const [{ statements, ...about }, balances] = await Promise.all([
      prefunded.getStatements(month),
      prefunded.getBalances(),
    ]);
    expect(about).toMatchObject({ contractAddress: PREFUNDED, month, isFinal: false });
    expect(about).not.toHaveProperty("success");
    expect(statements.map(({ pointType }) => pointType)).toEqual(["PHASE2_POINTS", "PHASE2_GOLD"]);
    const [gold] = (await prefunded.getStatements(month, { pointType: "PHASE2_GOLD" })).statements;
    expect(gold).toEqual(statements[1]);
    expect(gold).toMatchObject({ opening: "0", issued: balances.PHASE2_GOLD.earnedCumulative });
  });

  test("that do not exist are refused, with the month that is allowed", async () => {
    expect(await failureOf(client.getStatements("2999-01"))).toMatchObject({
      code: "validation_failed",
      status: 400,
      message: expect.stringContaining(`the current month is ${month}`),
    });
  });
});

test("a forecast has every hour and day per point type, and when a prefunded contract runs out", async () => {
  const { forecasts, ...about } = await prefunded.getForecast();
  expect(about).toEqual({ contractAddress: PREFUNDED });
  expect(forecasts).toMatchObject([
    { pointType: "PHASE2_POINTS" },
    { pointType: "PHASE2_GOLD", later: { batchCount: 0, transferCount: 0, points: "0" } },
  ]);
  expect(forecasts.map(({ hours, days }) => [hours.length, days.length])).toEqual([
    [24, 30],
    [24, 30],
  ]);
});

test("the public books are read without a token", async () => {
  const reader = createClient({
    baseUrl: app.url,
    token: () => Promise.reject(new Error("nobody should ask for a token")),
  });
  const books = await reader.getBooks();
  expect(books).toMatchObject({ readAt: expect.stringMatching(/Z$/), accounts: expect.any(Number) });
  // The contracts of this test were registered today, and a day is in the chain once it is over.
  expect(await reader.getBooksChain({ from: "2026-01-01", limit: 1 })).toEqual({ links: [], nextFrom: null });
  expect(await failureOf(reader.getBooksChain({ limit: 501 }))).toMatchObject({ code: "validation_failed" });
});

describe("receipts", () => {
  test("of a finalized batch prove its transfers against its root; others are refused", async () => {
    const batch = batchOf("2", { secondsToFinalize: 1 });
    const { batchId } = await client.submitBatch(batch);
    await client.waitUntilFinalized(batchId, { pollMs: 50 });
    const { root, leaves } = await client.getRoot(batchId);
    const { toAddress } = batch.transfers[0]!;
    const receipt = await client.getReceipt(batchId, toAddress);
    expect(leaves).toBe(1);
    expect(receipt).toMatchObject({ batchId, points: "2", position: 0, proof: [], root });
    expect(await failureOf(client.getReceipt(batchId, CONTRACT))).toMatchObject({
      code: "receipt_not_found",
    });
    const pending = await client.submitBatch(batchOf("2", { secondsToFinalize: 3600 }));
    expect(await failureOf(client.getRoot(pending.batchId))).toMatchObject({
      code: "batch_not_finalized",
      batchId: pending.batchId,
    });
  });
});

describe("waiting", () => {
  test("resolves when the batch is FINALIZED", async () => {
    const { batchId } = await client.submitBatch(batchOf("2", { secondsToFinalize: 1 }));
    const batch = await client.waitUntilFinalized(batchId, { pollMs: 50 });
    expect(batch).toMatchObject({ id: batchId, status: "FINALIZED", points: "2" });
  });

  test("reads the batch again only when it has changed", async () => {
    const { batchId } = await client.submitBatch(batchOf("2"));
    const statuses: number[] = [];
    const unchanged = new AbortController();
    const watching = createClient({
      baseUrl: app.url,
      token,
      contractAddress: CONTRACT,
      fetch: async (...given) => {
        const reply = await fetch(...given);
        if (statuses.push(reply.status) === 3) unchanged.abort();
        return reply;
      },
    });
    const { signal } = unchanged;
    expect(await failureOf(watching.waitUntilFinalized(batchId, { lookMs: 50, signal }))).toBe(signal.reason);
    expect(statuses).toEqual([200, 304, 304]);
  });

  test("rejects when the batch is cancelled", async () => {
    const { batchId } = await client.submitBatch(batchOf("2"));
    const waiting = failureOf(client.waitUntilFinalized(batchId, { lookMs: 100 }));
    await client.cancelBatch(batchId);
    expect(await waiting).toMatchObject({ name: "BatchCancelled", batchId, batch: { status: "CANCELLED" } });
  });

  test("ends with an abort", async () => {
    const { batchId } = await client.submitBatch(batchOf("2"));
    const signal = AbortSignal.timeout(200);
    expect(await failureOf(client.waitUntilFinalized(batchId, { signal }))).toBe(signal.reason);
  });
});
