import { createServer } from "node:http";
import { generatePrivateKey, privateKeyToAccount } from "viem/accounts";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { BuiltApp } from "@/testing/launch-app";
import { listenLocally } from "@/testing/local-servers";
import { type Client, createClient } from "./create-client.ts";
import { batchDigest, verifyDigest } from "./digest.ts";
import { operatorToken } from "./operator-token.ts";
import type { Holder } from "./shapes.ts";
import {
  batchOf,
  type ClientWorld,
  CONTRACT,
  OTHER,
  operator,
  PREFUNDED,
  startClientWorld,
  wallet,
} from "./testing/client-world.ts";
import { failureOf } from "./testing/scripted-fetch.ts";
import type { TokenRequest } from "./token.ts";

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

test("batches with a payoutId are read and cancelled as one payout", async () => {
  const payout = { ...batchOf("1.5", { secondsToFinalize: 3600 }), payoutId: "season-3" };
  const first = await client.submitBatch(payout);
  await client.submitBatch({ ...payout, transfers: batchOf("2").transfers });
  await client.cancelBatch(first.batchId);
  expect((await client.getBatch(first.batchId)).payoutId).toBe("season-3");
  expect(await client.getPayout("season-3")).toMatchObject({
    status: "PENDING",
    batchCount: 2,
    amounts: [{ points: "2", pending: "2", cancelled: "1.5" }],
  });
  const cancelled = await client.cancelPayout("season-3");
  expect(cancelled).toMatchObject({
    payoutId: "season-3",
    cancelled: 1,
    counts: { pending: 0, cancelled: 2 },
  });
  expect(cancelled).not.toHaveProperty("success");
  await expect(client.getPayout("season-4")).rejects.toMatchObject({ code: "payout_not_found" });
});

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

  test("a reference is in the digest, finds its payment, and is refused in another batch", async () => {
    const batch = batchOf("1", { secondsToFinalize: 3600 });
    batch.transfers[0]!.reference = "Season 3: wallet-77";
    const { batchId } = await client.submitBatch(batch);
    const stored = await client.getBatch(batchId);
    expect(stored.transfers[0]!.reference).toBe("Season 3: wallet-77");
    expect(stored.digest).toBe(await batchDigest(CONTRACT, batch));
    expect(await verifyDigest(stored)).toBe(true);
    expect(await client.findPayments("Season 3: wallet-77")).toMatchObject([
      { batchId, position: 0, status: "PENDING" },
    ]);
    expect(await failureOf(client.submitBatch(batch))).toMatchObject({
      name: "ApiProblem",
      code: "reference_already_paid",
      status: 422,
      errors: [{ pointer: "/transfers/0/reference", batchId, batchStatus: "PENDING", position: 0 }],
    });
  });

  test("metadata is in the digest, and finds its batches page by page", async () => {
    const metadata = { "campaign.name": "Summer & [co] 50 %", "0": "\u{1f4b0}" };
    const batches = ["1", "2", "3"].map((points) => ({ ...batchOf(points), metadata }));
    const ids: string[] = [];
    for (const batch of batches) {
      const { batchId } = await client.submitBatch(batch);
      ids.push(batchId);
      const stored = await client.getBatch(batchId);
      expect(stored.metadata).toEqual(metadata);
      expect(stored.digest).toBe(await batchDigest(CONTRACT, batch));
      expect(await verifyDigest(stored)).toBe(true);
      expect(await verifyDigest({ ...stored, metadata: { ...metadata, "0": "x" } })).toBe(false);
    }
    const found: unknown[] = [];
    const query = { metadata, include: "metadata" as const, sort: "ASC" as const, limit: 2 };
    for await (const batch of client.iterateBatches(query)) found.push([batch.id, batch.metadata]);
    expect(found).toEqual(ids.map((id) => [id, metadata]));
    expect((await client.listBatches({ metadata: { "0": "x" } })).batches).toEqual([]);
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
});

test("the public books are read without a token", async () => {
  const reader = createClient({
    baseUrl: app.url,
    token: () => Promise.reject(new Error("nobody should ask for a token")),
  });
  const books = await reader.getBooks();
  expect(books).toMatchObject({ readAt: expect.stringMatching(/Z$/), accounts: expect.any(Number) });
});

describe("receipts", () => {
  test("of a finalized batch prove its transfers against its root; others are refused", async () => {
    const batch = batchOf("2", { secondsToFinalize: 1 });
    const { batchId } = await client.submitBatch(batch);
    const settled = await client.waitUntilFinalized(batchId, { pollMs: 50 });
    expect(settled).toMatchObject({ id: batchId, status: "FINALIZED", points: "2" });
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

describe("snapshots", () => {
  const GOLD = { pointType: "PHASE2_GOLD" } as const;

  async function takeAndWait(name: string) {
    const { id } = await client.takeSnapshot({ ...GOLD, name });
    for (;;) {
      const snapshot = (await client.listSnapshots()).find((each) => each.id === id);
      if (snapshot?.status !== "RUNNING") return snapshot!;
      await new Promise((resolve) => setTimeout(resolve, 100));
    }
  }

  test("freeze what recipients hold, and list every holder of one although a newer one was taken", async () => {
    const transfers = [1, 2, 3, 4, 5].map((at) => ({ toAddress: wallet(0xb0 + at), points: `${at}.5` }));
    const { batchId } = await client.submitBatch({ ...GOLD, secondsToFinalize: 1, transfers });
    await client.waitUntilFinalized(batchId, { pollMs: 50 });
    const first = await takeAndWait("first");
    expect(first).toMatchObject({ status: "TAKEN", name: "first", ledgerTotal: first.points });
    const held: Record<string, string> = {};
    let taken = 0;
    for await (const { address, points } of client.iterateHolders({ ...GOLD, limit: 2 })) {
      held[address.toLowerCase()] = points;
      if (taken++ === 0) await takeAndWait("second");
    }
    expect(held).toMatchObject(Object.fromEntries(transfers.map((row) => [row.toAddress, row.points])));
    expect(Object.keys(held)).toHaveLength(first.holders);
    expect((await client.listHolders(GOLD)).snapshot.name).toBe("second");
  });

  test("a claim of a published allocation is read without a token, with its proof", async () => {
    const { id: snapshot } = await takeAndWait("for a token");
    const made = ["--snapshot", snapshot, "--name", "token", "--total", "1000", "--decimals", "18"];
    const { id } = JSON.parse(await app.ops(["allocation", "make", ...made, "--json"])) as { id: string };
    const reader = createClient({ baseUrl: app.url });
    const [{ address }] = (await client.listHolders({ ...GOLD, limit: 1 })).holders as [Holder];
    expect(await failureOf(reader.getClaim(id, address))).toMatchObject({ code: "allocation_not_found" });
    await app.ops(["allocation", "publish", "--id", id]);
    const proof = expect.any(Array);
    const claim = { allocationId: id, name: "token", address, decimals: 18, proof };
    expect(await reader.getClaim(id, address)).toMatchObject(claim);
    const stranger = "0x000000000000000000000000000000000000dead";
    expect(await failureOf(reader.getClaim(id, stranger))).toMatchObject({ code: "claim_not_found" });
  });
});

describe("waiting", () => {
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
});

describe("problems", () => {
  test("cancelling a cancelled batch is not_cancellable, with the time of the first cancel", async () => {
    const { batchId } = await client.submitBatch(batchOf("2"));
    expect(await client.cancelBatch(batchId)).toEqual({ batchId });
    expect(await failureOf(client.cancelBatch(batchId))).toMatchObject({
      name: "ApiProblem",
      code: "not_cancellable",
      extra: { batchStatus: "CANCELLED", since: expect.stringMatching(/Z$/) },
      outcomeUnknown: false,
    });
  });

  test("different content under the same id is batch_id_conflict, with both digests", async () => {
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

  test("under a key, a repeat is answered alike, other content is idempotency_key_reused", async () => {
    const key = { idempotencyKey: "order 7" };
    expect(await client.dryRunBatch(batchOf("2"), key)).toMatchObject({ replayed: false });
    const stored = await client.submitBatch(batchOf("2"), key);
    expect(await client.submitBatch(batchOf("2"), key)).toEqual({ ...stored, replayed: true });
    const error = await failureOf(client.submitBatch(batchOf("3"), key));
    expect(error).toMatchObject({ code: "idempotency_key_reused", status: 422, outcomeUnknown: false });
    for (const wrong of [{ idempotencyKey: "ä" }, { idempotencyKey: "" }, { ...key, batchId: "b" }])
      expect(await failureOf(client.submitBatch(batchOf("2"), wrong))).toMatchObject({
        name: "InvalidArgument",
      });
  });

  test("an invalid batch has an error for each row, in a dry run for more than a hundred", async () => {
    const wrong = [
      { toAddress: wallet(1), points: "1e3" },
      { toAddress: "0x12", points: "1" },
    ];
    expect(await failureOf(client.submitBatch(batchOf("1", { transfers: wrong })))).toMatchObject({
      code: "validation_failed",
      status: 400,
      errorCount: 2,
      errors: [
        { pointer: "/transfers/0/points", code: "invalid_points" },
        { pointer: "/transfers/1/toAddress", code: "invalid_address" },
      ],
      requestId: expect.any(String),
    });
    const transfers = Array.from({ length: 150 }, (_, i) => ({ toAddress: wallet(i + 1), points: "0" }));
    const failure = await failureOf(client.dryRunBatch(batchOf("1", { transfers })));
    expect(failure).toMatchObject({ errorCount: 150, errors: { length: 150 } });
  });

  test("a contract without enough points gets insufficient_points, with what it has", async () => {
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
  ])("%s is an ApiProblem too", async (_, change, status, code) => {
    const stranger = createClient({ baseUrl: app.url, token, contractAddress: CONTRACT, ...change });
    expect(await failureOf(stranger.getBalances())).toMatchObject({ name: "ApiProblem", status, code });
  });

  test("a baseUrl of pages is UnexpectedReply, and another path of the service says that API paths begin with /v1", async () => {
    const failureAt = (baseUrl: string) =>
      failureOf(createClient({ baseUrl, token, contractAddress: CONTRACT, retries: 0 }).getBalances());
    expect(await failureAt(`${app.url}/docs`)).toMatchObject({ name: "UnexpectedReply" });
    expect(await failureAt(`${app.url}/console`)).toMatchObject({
      code: "not_found",
      detail: expect.stringContaining("/v1"),
    });
  });
});

test("redirects are not followed, so the token goes only to baseUrl", async () => {
  const redirecting = createServer((_, reply) => {
    reply.writeHead(307, { Location: `${app.url}/v1/contracts/${CONTRACT}/point-balances` }).end();
  });
  const baseUrl = `http://127.0.0.1:${await listenLocally(redirecting)}`;
  const failing = createClient({ baseUrl, token, contractAddress: CONTRACT }).getBalances();
  expect(await failureOf(failing)).toMatchObject({ name: "UnexpectedReply", status: 307 });
  redirecting.close();
});

describe("the operator", () => {
  const signMessage = (message: string) => operator.signMessage({ message });
  const who = { contractAddress: CONTRACT, operatorAddress: operator.address, signMessage };

  test("signs in and acts for the contract", async () => {
    const session = await createClient({ baseUrl: app.url }).signIn(who);
    expect(session.expiresAt - Date.now()).toBeGreaterThan(3_590_000);
    const signedIn = createClient({ baseUrl: app.url, token: session.token, contractAddress: CONTRACT });
    const { batchId } = await signedIn.submitBatch(batchOf("1"));
    expect((await client.getBatch(batchId)).id).toBe(batchId);
    expect(await failureOf(signedIn.getBalances({ contractAddress: OTHER }))).toMatchObject({ status: 403 });
  });

  test("is signed in by the token function when a call needs it", async () => {
    const source = operatorToken({ baseUrl: app.url, ...who });
    const signedIn = createClient({ baseUrl: app.url, token: source, contractAddress: CONTRACT });
    expect(await signedIn.getBalances()).toEqual(await client.getBalances());
  });

  test("is refused with another key", async () => {
    const stranger = privateKeyToAccount(generatePrivateKey());
    const signing = createClient({ baseUrl: app.url }).signIn({
      ...who,
      signMessage: (message) => stranger.signMessage({ message }),
    });
    expect(await failureOf(signing)).toMatchObject({
      name: "ApiProblem",
      code: "not_operator",
      detail: expect.stringContaining(stranger.address),
    });
  });

  test("gets a new token within a call when the service has revoked the old one", async () => {
    const next = privateKeyToAccount(generatePrivateKey());
    const anyone = createClient({ baseUrl: app.url, contractAddress: OTHER });
    const first = await anyone.signIn({ operatorAddress: operator.address, signMessage });
    const asked: (string | null)[] = [];
    const token = async ({ refusedToken }: TokenRequest) => {
      asked.push(refusedToken);
      if (refusedToken === null) return first.token;
      const renewed = await anyone.signIn({
        operatorAddress: next.address,
        signMessage: (message) => next.signMessage({ message }),
      });
      return renewed.token;
    };
    await app.ops(["contract", "operator", "--contract", OTHER, "--operator", next.address]);
    const signedIn = createClient({ baseUrl: app.url, token, contractAddress: OTHER });
    expect((await signedIn.submitBatch(batchOf("1"))).replayed).toBe(false);
    expect(asked).toEqual([null, first.token]);
  });
});
