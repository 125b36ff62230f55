import { createHash } from "node:crypto";
import { generatePrivateKey, privateKeyToAccount } from "viem/accounts";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type BuiltApp, startBuiltApp } from "@/server/testing/built-app";
import { type Client, createClient } from "./create-client.ts";
import { batchDigest, canonicalBatchText, verifyDigest } from "./digest.ts";
import { operatorToken } from "./operator-token.ts";
import type { NewBatch } from "./shapes.ts";
import { failureOf } from "./testing/scripted-fetch.ts";

const CONTRACT = "0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed";
const PREFUNDED = "0xfB6916095ca1df60bB79Ce92cE3Ea74c37c5d359";
const OTHER = "0xdbF03B407c01E7cD3CBea99509d93f8DDDC8C6FB";
const operator = privateKeyToAccount(generatePrivateKey());
const signMessage = (message: string) => operator.signMessage({ message });

const wallet = (number: number) => `0x${number.toString(16).padStart(40, "0")}`;
const batchOf = (points: string, more: Partial<NewBatch> = {}): NewBatch => ({
  pointType: "PHASE2_POINTS",
  transfers: [{ toAddress: wallet(0xa1), points }],
  ...more,
});

let app: BuiltApp;
let token: string;
let client: Client;
let prefunded: Client;

beforeAll(async () => {
  app = await startBuiltApp({ environment: { MINIMUM_FINALIZE_SECONDS: "1" } });
  const create = ["contract", "create", "--label", "Test", "--operator", operator.address, "--address"];
  await app.ops([...create, CONTRACT]);
  await app.ops([...create, PREFUNDED, "--issuance", "PREFUNDED"]);
  await app.ops([...create, OTHER]);
  token = await tokenOf(CONTRACT);
  client = createClient({ baseUrl: app.url, token, contractAddress: CONTRACT });
  prefunded = createClient({ baseUrl: app.url, token: await tokenOf(PREFUNDED), contractAddress: PREFUNDED });
});
afterAll(async () => {
  const verified = await app?.ops(["verify-ledger", "--json"]);
  await app?.stop();
  expect(JSON.parse(verified)).toMatchObject({ ok: true });
});

async function tokenOf(contract: string): Promise<string> {
  const made = await app.ops(["token", "create", "--contract", contract, "--name", "test", "--json"]);
  return (JSON.parse(made) as { token: string }).token;
}

describe("submitting", () => {
  test("stores the batch under a UUID; repeating it under that id is recognized", async () => {
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

  test("the digest can be computed before, and verified after", async () => {
    for (const batch of [batchOf("1.10", { secondsToFinalize: 86_400 }), batchOf("0.01")]) {
      const { batchId } = await client.submitBatch(batch);
      const stored = await client.getBatch(batchId);
      expect(stored.digest).toBe(await batchDigest(CONTRACT, batch));
      expect(stored.digest).toBe(
        createHash("sha256").update(canonicalBatchText(CONTRACT, batch)).digest("hex"),
      );
      expect(await verifyDigest(stored)).toBe(true);
    }
  });

  test("any id that the service takes finds its way", async () => {
    for (const batchId of ["a:b~c_d.e-f", "...", "x".repeat(64)]) {
      await client.submitBatch(batchOf("1"), { batchId });
      expect((await client.getBatch(batchId)).id).toBe(batchId);
    }
  });

  test("a dry run says what would happen, and stores nothing", async () => {
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
  test("pages through all batches of a query, each once, in order", async () => {
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

describe("waiting", () => {
  test("ends when the batch is FINALIZED", async () => {
    const { batchId } = await client.submitBatch(batchOf("2", { secondsToFinalize: 1 }));
    const statuses: (number | undefined)[] = [];
    const watching = createClient({
      baseUrl: app.url,
      token,
      contractAddress: CONTRACT,
      fetch: async (...given) => {
        const reply = await fetch(...given);
        statuses.push(reply.status);
        return reply;
      },
    });
    const batch = await watching.waitUntilFinalized(batchId, { pollMs: 50 });
    expect(batch).toMatchObject({ id: batchId, status: "FINALIZED", points: "2" });
    expect(statuses).toContain(304);
  });

  test("rejects when the batch is cancelled", async () => {
    const { batchId } = await client.submitBatch(batchOf("2"));
    const waiting = failureOf(client.waitUntilFinalized(batchId, { lookMs: 100 }));
    await client.cancelBatch(batchId);
    expect(await waiting).toMatchObject({ name: "BatchCancelled", batchId, batch: { status: "CANCELLED" } });
  });

  test("is left by an abort", async () => {
    const { batchId } = await client.submitBatch(batchOf("2"));
    const signal = AbortSignal.timeout(200);
    expect(await failureOf(client.waitUntilFinalized(batchId, { signal }))).toBe(signal.reason);
  });
});

describe("problems", () => {
  test("a cancel that was made already is not_cancellable, and says since when", async () => {
    const { batchId } = await client.submitBatch(batchOf("2"));
    expect(await client.cancelBatch(batchId)).toEqual({ batchId });
    expect(await failureOf(client.cancelBatch(batchId))).toMatchObject({
      name: "ApiProblem",
      code: "not_cancellable",
      extra: { batchStatus: "CANCELLED", since: expect.stringMatching(/Z$/) },
      outcomeUnknown: false,
    });
  });

  test("another batch under the same id is batch_id_conflict, with both digests", async () => {
    const [first, second] = [batchOf("2"), batchOf("3")];
    await client.submitBatch(first, { batchId: "taken" });
    expect(await failureOf(client.submitBatch(second, { batchId: "taken" }))).toMatchObject({
      code: "batch_id_conflict",
      batchId: "taken",
      extra: {
        storedDigest: await batchDigest(CONTRACT, first),
        sentDigest: await batchDigest(CONTRACT, second),
      },
    });
  });

  test("every bad row is named", async () => {
    const transfers = [
      { toAddress: wallet(1), points: "1e3" },
      { toAddress: "0x12", points: "1" },
    ];
    expect(await failureOf(client.submitBatch(batchOf("1", { transfers })))).toMatchObject({
      code: "validation_failed",
      status: 400,
      errorCount: 2,
      errors: [
        { pointer: "/transfers/0/points", code: "invalid_points" },
        { pointer: "/transfers/1/toAddress", code: "invalid_address" },
      ],
      requestId: expect.any(String),
    });
  });

  test("a dry run names every bad row, not only the first hundred", async () => {
    const transfers = Array.from({ length: 150 }, (_, i) => ({ toAddress: wallet(i + 1), points: "0" }));
    const failure = await failureOf(client.dryRunBatch(batchOf("1", { transfers })));
    expect(failure).toMatchObject({ code: "validation_failed", errorCount: 150 });
    expect((failure as unknown as { errors: unknown[] }).errors).toHaveLength(150);
  });

  test("a contract without enough points is told what it has", async () => {
    expect(await failureOf(prefunded.submitBatch(batchOf("5")))).toMatchObject({
      code: "insufficient_points",
      status: 422,
      extra: { available: "0", asked: "5" },
    });
  });

  test.each([
    ["a wrong token", { token: "ptb_wrong" }, 401, "invalid_token"],
    ["no token", { token: undefined }, 401, "missing_token"],
    ["another contract", { contractAddress: OTHER }, 403, "wrong_contract"],
  ])("%s is typed as well", async (_, change, status, code) => {
    const stranger = createClient({ baseUrl: app.url, token, contractAddress: CONTRACT, ...change });
    expect(await failureOf(stranger.getBalances())).toMatchObject({ name: "ApiProblem", status, code });
  });

  test("a base address that is not the service's is UnexpectedReply", async () => {
    const lost = createClient({
      baseUrl: `${app.url}/console`,
      token,
      contractAddress: CONTRACT,
      retries: 0,
    });
    expect(await failureOf(lost.getBalances())).toMatchObject({ name: "UnexpectedReply" });
  });
});

describe("the operator", () => {
  const who = { contractAddress: CONTRACT, operatorAddress: operator.address, signMessage };

  test("signs in and acts for the contract", async () => {
    const session = await createClient({ baseUrl: app.url }).signIn(who);
    expect(session.expiresAt - Date.now()).toBeGreaterThan(3_590_000);
    const signedIn = createClient({ baseUrl: app.url, token: session.token, contractAddress: CONTRACT });
    const { batchId } = await signedIn.submitBatch(batchOf("1"));
    expect((await client.getBatch(batchId)).id).toBe(batchId);
    expect(await failureOf(signedIn.getBalances({ contractAddress: OTHER }))).toMatchObject({ status: 403 });
  });

  test("is signed in by the token provider when a call needs it", async () => {
    const source = operatorToken({ baseUrl: app.url, ...who });
    const signedIn = createClient({ baseUrl: app.url, token: source, contractAddress: CONTRACT });
    expect(await signedIn.getBalances()).toEqual(await client.getBalances());
  });

  test("with another key is refused", async () => {
    const stranger = privateKeyToAccount(generatePrivateKey());
    const signing = createClient({ baseUrl: app.url }).signIn({
      ...who,
      signMessage: (message) => stranger.signMessage({ message }),
    });
    expect(await failureOf(signing)).toMatchObject({ name: "ApiProblem", code: "invalid_signature" });
  });
});
