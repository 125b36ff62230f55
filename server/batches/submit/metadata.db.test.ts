import fc from "fast-check";
import { expect, test } from "vitest";
import { createAccessToken } from "@/server/auth/tokens";
import { cancelBatch } from "@/server/batches/change/cancel-batch";
import { describeCorrection } from "@/server/batches/change/describe-correction";
import { exportBatches } from "@/server/batches/list/export-batches";
import { findBatch, readMetadata } from "@/server/batches/list/get-batch";
import { claimDeliveries } from "@/server/webhooks/claim-deliveries";
import { payloadOf } from "@/server/webhooks/deliver-due";
import { createEndpoint } from "@/server/webhooks/endpoints";
import { isMetadataKey } from "@/terms/batch-terms";
import { refusalOf } from "@/testing/expectations";
import { statementsOf } from "@/testing/explain";
import { batchOf, LIMITS, wallet } from "@/testing/factories";
import { callApi } from "@/testing/rest-request";
import { callerOf } from "@/testing/staff-caller";
import { useLedger } from "@/testing/use-ledger";
import { contentDigest } from "./digest";
import { dryRunSubmit } from "./dry-run-submit";
import { submitBatch } from "./submit-batch";
import type { SubmitBatchInput } from "./submit-schema";

const { db, context, newContract, submit } = useLedger({ serves: true });

const LATER = { secondsToFinalize: 3600 };
const tagged = (contract: string, batchId: string, metadata?: SubmitBatchInput["metadata"]) =>
  batchOf(contract, [[1, "1"]], { batchId, metadata, ...LATER });

/** The API of a new contract. */
async function newCaller() {
  const contract = await newContract();
  const scopes = ["batches:read" as const, "batches:write" as const];
  const asked = { contractAddress: contract, name: "test", scopes, expiresAt: null };
  const { token } = await createAccessToken(context("ops"), asked);
  const send = async (method: string, path: string, body?: object) =>
    (await callApi(token, method, `/v1/contracts/${contract}/batches${path}`, body)).body;
  const ids = async (query: string) =>
    (await send("GET", `?${query}`)).batch.map(({ id }: { id: string }) => id);
  return { contract, send, ids };
}

test("metadata is returned with its batch, in a list only when it is asked for, and a batch without any has no such field", async () => {
  const { contract, send } = await newCaller();
  const { contractAddress: _, batchId: __, ...body } = tagged(contract, "with", { b: "2", a: "1" });
  await send("PUT", "/with", body);
  for (const [id, metadata] of [
    ["absent", undefined],
    ["null", null],
    ["empty", {}],
  ] as const)
    await send("PUT", `/${id}`, { ...body, metadata });
  const { batch } = await send("GET", "/with");
  expect(Object.entries(batch.metadata)).toEqual([
    ["a", "1"],
    ["b", "2"],
  ]);
  for (const id of ["absent", "null", "empty"])
    expect((await send("GET", `/${id}`)).batch).not.toHaveProperty("metadata");
  const listed = (await send("GET", "?sort=ASC")).batch;
  expect(listed.map((each: object) => Object.keys(each).length)).toEqual([9, 9, 9, 9]);
  const included = (await send("GET", "?sort=ASC&include=metadata")).batch;
  expect(included).toEqual([{ ...listed[0], metadata: { a: "1", b: "2" } }, ...listed.slice(1)]);
});

test("metadata is part of the content: the same is a repeat in any order, other metadata under the same ID a conflict that says so", async () => {
  const contract = await newContract();
  const first = tagged(contract, "same", { campaign: "summer", part: "1" });
  await submit(first);
  const real = (batch: SubmitBatchInput) => submitBatch(context(), LIMITS, batch);
  const repeat = { ...first, metadata: { part: "1", campaign: "summer" } };
  expect(await real(repeat)).toEqual({ batchId: "same", replayed: true });
  const { digest } = await findBatch(context(), contract, "same");
  expect(digest).toEqual(contentDigest(repeat));
  expect(digest).not.toEqual(contentDigest({ ...first, metadata: {} }));
  const others: SubmitBatchInput["metadata"][] = [null, {}, { part: "1" }, { ...first.metadata, part: "2" }];
  for (const metadata of others)
    for (const send of [real, (batch: SubmitBatchInput) => dryRunSubmit(context(), LIMITS, batch)]) {
      const only = (words: string) => expect.stringContaining(`Only ${words}.`);
      const refused = await refusalOf(send({ ...first, metadata }));
      expect(refused).toMatchObject({ code: "batch_id_conflict", message: only("`metadata` differs") });
      const both = await refusalOf(send({ ...first, metadata, secondsToFinalize: 60 }));
      expect(both.message).toEqual(only("`metadata` and `secondsToFinalize` differ"));
    }
  const later = await refusalOf(real({ ...first, secondsToFinalize: 60 }));
  expect(later.message).toContain("Only `secondsToFinalize` differs.");
});

test("any key and value is stored, returned, digested and found as it was sent, and not by a similar one", async () => {
  const { contract, send, ids } = await newCaller();
  const key = fc.oneof(
    fc.constantFrom("constructor", "toString", "hasOwnProperty", "proto", "0", "-", "__proto"),
    fc.stringMatching(/^[A-Za-z0-9_.-]{1,40}$/).filter(isMetadataKey),
  );
  const value = fc.oneof(
    fc.constantFrom("NULL", "{}", '"', "\\", ",", "a,b", "%", "a&b=c", "\u{1f4b0}".repeat(200), " ", "[x]"),
    fc.string({ unit: "grapheme", minLength: 1, maxLength: 99 }).filter((text) => !/\p{Cc}/u.test(text)),
  );
  const metadata = fc.dictionary(key, value, { minKeys: 1, maxKeys: 20 });
  let count = 0;
  await fc.assert(
    fc.asyncProperty(metadata, async (sent) => {
      const id = `b-${count++}`;
      const { contractAddress, batchId: _, ...body } = tagged(contract, id, { ...sent, id });
      expect(await send("PUT", `/${id}`, body)).toEqual({ success: true, batchId: id, replayed: false });
      const { batch } = await send("GET", `/${id}`);
      expect(batch.metadata).toEqual({ ...sent, id });
      expect(batch.digest).toBe(contentDigest({ contractAddress, ...body }).toString("hex"));
      const query = new URLSearchParams({ "metadata[id]": id });
      for (const [key, value] of Object.entries(sent).slice(0, 4)) query.set(`metadata[${key}]`, value);
      expect(await ids(String(query))).toEqual([id]);
      const [[name, text]] = Object.entries(sent) as [[string, string]];
      query.set(
        `metadata[${name}]`,
        text === text.toUpperCase() ? `${text.slice(0, 199)}x` : text.toUpperCase(),
      );
      expect(await ids(String(query))).toEqual([]);
    }),
    { numRuns: 60 },
  );
});

test("a list by metadata has all batches with every pair, page by page in both orders, and none of another contract", async () => {
  const [{ contract, send, ids }, other] = [await newCaller(), await newCaller()];
  for (let at = 0; at < 12; at++) {
    const metadata = { campaign: at % 3 === 0 ? "winter" : "summer", region: at % 2 ? "eu" : "us" };
    await submit(tagged(contract, `b-${at}`, metadata));
    await submit(tagged(other.contract, `other-${at}`, metadata));
  }
  await cancelBatch(context(), { contractAddress: contract, batchId: "b-5" });
  const pagesOf = async (query: string) => {
    const found: string[] = [];
    for (let cursor: string | null = ""; cursor !== null; ) {
      const page: { batch: { id: string }[]; cursor: string | null } = await send(
        "GET",
        `?limit=2&${query}${cursor && `&cursor=${cursor}`}`,
      );
      expect(page.batch.length).toBeLessThanOrEqual(2);
      found.push(...page.batch.map(({ id }) => id));
      cursor = page.cursor;
    }
    return found;
  };
  const summer = "metadata[campaign]=summer";
  const inSummer = [1, 2, 4, 5, 7, 8, 10, 11].map((at) => `b-${at}`);
  expect(await pagesOf(`${summer}&sort=ASC`)).toEqual(inSummer);
  expect(await pagesOf(summer)).toEqual(inSummer.toReversed());
  expect(await pagesOf(`${summer}&metadata[region]=eu&sort=ASC`)).toEqual(["b-1", "b-5", "b-7", "b-11"]);
  expect(await pagesOf(`metadata%5Bregion%5D=eu&${summer}&status=CANCELLED`)).toEqual(["b-5"]);
  for (const none of [
    "metadata[campaign]=Summer",
    "metadata[summer]=campaign",
    `${summer}&pointType=PHASE2_GOLD`,
  ])
    expect(await ids(none)).toEqual([]);
  const { cursor } = await send("GET", `?limit=2&${summer}&metadata[region]=eu`);
  expect((await ids(`limit=2&metadata[region]=eu&${summer}&cursor=${cursor}`)).length).toBe(2);
  for (const changed of [summer, `${summer}&metadata[region]=us`, ""])
    expect(await send("GET", `?limit=2&${changed}&cursor=${cursor}`)).toMatchObject({
      code: "cursor_mismatch",
    });
});

test("a submit without metadata sends the statement it always sent, and one with metadata also sends only one", async () => {
  const contract = await newContract();
  const sentFor = async (batch: SubmitBatchInput) => {
    const { sent } = await statementsOf(db.url, (sql) =>
      submitBatch({ ...context(), db: { ...db, sql } }, LIMITS, batch),
    );
    return sent.map(({ text }) => text.includes("batch_metadata"));
  };
  expect(await sentFor(tagged(contract, "a"))).toEqual([false]);
  expect(await sentFor(tagged(contract, "b", {}))).toEqual([false]);
  expect(await sentFor(tagged(contract, "c", { a: "1" }))).toEqual([true]);
});

test("metadata goes with the batch to webhooks, exports, the form for its correction and the console's lists", async () => {
  const contractAddress = await newContract();
  const rules = { serviceSecret: "auth-secret-of-this-test", allowPrivate: false };
  const events = ["batch.created" as const];
  await createEndpoint(context(), { contractAddress, url: "https://example.com/hook", events }, rules);
  const metadata = { campaign: "summer", note: 'a "quoted", text' };
  await submit(tagged(contractAddress, "with", metadata));
  await submit(tagged(contractAddress, "without"));
  const claimed = await claimDeliveries(db, { claimId: crypto.randomUUID(), count: 9, taken: [] });
  const sent = claimed.map((delivery) => JSON.parse(payloadOf(delivery)).data);
  expect(sent.map((data) => [data.batchId, data.metadata]).sort()).toEqual([
    ["with", metadata],
    ["without", undefined],
  ]);
  for await (const page of exportBatches(context(), { contractAddress, metadata: { campaign: "summer" } }))
    expect(page).toMatchObject([{ id: "with", metadata }]);
  const viewer = await callerOf(db, "viewer");
  const { list, facets, totals, get } = viewer.batches;
  const filters = { metadata: { campaign: "summer" } };
  for (const sort of ["DESC", "DUE", "AMOUNT_DESC"] as const)
    expect((await list({ ...filters, sort })).batches.map(({ id }) => id)).toContain("with");
  expect((await list({ ...filters, contractAddress })).batches).toMatchObject([{ id: "with" }]);
  const recipient = wallet(1);
  expect((await list({ ...filters, contractAddress, recipient })).batches).toMatchObject([{ id: "with" }]);
  expect((await list({ metadata: { campaign: "winter" }, contractAddress, recipient })).batches).toEqual([]);
  for (const [campaign, count] of [
    ["summer", 1],
    ["winter", 0],
  ] as const)
    expect((await facets({ metadata: { campaign }, contractAddress, recipient })).counts.PENDING).toBe(count);
  expect((await list({ ...filters, contractAddress, unusual: true })).batches).toEqual([]);
  expect((await facets({ ...filters, contractAddress })).counts.PENDING).toBe(1);
  expect((await totals({ ...filters, contractAddress })).sums).toMatchObject([{ batches: 1 }]);
  expect((await get({ contractAddress, batchId: "with" })).metadata).toEqual(metadata);
  await cancelBatch(context(), { contractAddress, batchId: "with" });
  expect((await describeCorrection(context(), { contractAddress, batchId: "with" })).metadata).toEqual(
    metadata,
  );
  expect(await readMetadata(context(), [])).toEqual(new Map());
});
