import { v7 as uuidv7 } from "uuid";
import { expect, test } from "vitest";
import { createAccessToken, TOKEN_SCOPES } from "@/server/auth/tokens";
import { reverseBatch } from "@/server/batches/reversal/reverse-batch";
import { setKeyRequired } from "@/server/contracts/change-contract";
import {
  type BatchOptions,
  batchOf,
  LIMITS,
  setRule,
  shifted,
  times,
  wallet,
  withoutTriggers,
} from "@/testing/factories";
import { callApi } from "@/testing/rest-request";
import { callerOf } from "@/testing/staff-caller";
import { useLedger } from "@/testing/use-ledger";
import { submitBatch } from "./submit-batch";

const { db, context, newContract, submit, finalize } = useLedger({ serves: true });

/** A contract that requires a key, and calls of its token. */
async function requiring({ required = true } = {}) {
  const contractAddress = await newContract();
  if (required) await setKeyRequired(context("staff:a@example.com"), { contractAddress, required });
  const asked = { contractAddress, name: "test", scopes: [...TOKEN_SCOPES], expiresAt: null };
  const { token } = await createAccessToken(context("ops"), asked);
  const send = (method: string, path: string, body?: object, headers?: Record<string, string>) =>
    callApi(token, method, `/v1/contracts/${contractAddress}/batches${path}`, body, headers);
  const stored = async () => (await send("GET", "")).body.batch.map(({ id }: { id: string }) => id);
  const counted = () => callerOf(db, "viewer").contracts.keylessPosts({ contractAddress });
  return { contractAddress, send, stored, counted };
}

const BODY = {
  pointType: "PHASE2_POINTS",
  secondsToFinalize: 3600,
  transfers: [{ toAddress: wallet(1), points: "1" }],
};
const REFUSED = {
  status: 400,
  body: {
    code: "validation_failed",
    detail: expect.stringContaining("PUT"),
    errors: [{ pointer: "/Idempotency-Key", code: "required", detail: "is required by this contract" }],
  },
};

test.each([
  ["with one transfer", BODY],
  ["with metadata", { ...BODY, metadata: { season: "3" } }],
  ["with a payout", { ...BODY, payoutId: "season-3" }],
  ["with a reference", { ...BODY, transfers: [{ ...BODY.transfers[0], reference: "order-1" }] }],
])(
  "a contract that requires a key refuses a POST without one, %s, and its dry run, and stores nothing",
  async (_, body) => {
    const { send, stored } = await requiring();
    for (const query of ["", "?dryRun=true"]) expect(await send("POST", query, body)).toMatchObject(REFUSED);
    expect(await stored()).toEqual([]);
  },
);

test("it accepts a POST with a key, a PUT and the console, and a contract without the setting a plain POST", async () => {
  const { contractAddress, send, stored } = await requiring();
  for (const query of ["?dryRun=true", ""]) {
    const keyed = await send("POST", query, BODY, { "Idempotency-Key": "one" });
    expect([keyed.status, (await send("PUT", `/two${query}`, BODY)).status]).toEqual([200, 200]);
  }
  const input = { ...batchOf(contractAddress, [[1, "1"]], { secondsToFinalize: 3600 }), batchId: "three" };
  await callerOf(db, "operator").batches.submit(input);
  expect(await stored()).toHaveLength(3);
  const { send: sendPlain } = await requiring({ required: false });
  expect((await sendPlain("POST", "", BODY)).status).toBe(200);
});

test("the refusal holds among batches that are stored together, whose neighbours are stored", async () => {
  const [one, other] = [await requiring(), await requiring({ required: false })];
  const replies = await times(24, (at) =>
    at % 3 === 0
      ? one.send("POST", "", BODY)
      : at % 3 === 1
        ? one.send("PUT", `/b-${at}`, BODY)
        : other.send("POST", "", BODY),
  );
  for (const [at, reply] of replies.entries())
    expect(reply).toMatchObject(at % 3 === 0 ? REFUSED : { status: 200 });
  expect(await one.stored()).toHaveLength(8);
  expect(await one.counted()).toEqual({ count: 0, isAtLeast: false });
  expect(await other.counted()).toEqual({ count: 8, isAtLeast: false });
});

test("the refusal holds under a daily threshold, and an unknown contract is still unknown", async () => {
  const { contractAddress, send } = await requiring();
  await setRule(db, contractAddress, { dayThreshold: "100" });
  expect(await send("POST", "", BODY)).toMatchObject(REFUSED);
  const unknown = submitBatch(context(), LIMITS, batchOf(wallet(0xdead), [[1, "1"]]));
  await expect(unknown).rejects.toMatchObject({ code: "contract_not_found" });
});

test("a reversal needs a reversalId at such a contract, in a dry run, too, and the console still says what can be taken back", async () => {
  const { contractAddress, send } = await requiring();
  await submit(contractAddress, [[1, "1"]], { batchId: "paid" });
  await finalize();
  for (const query of ["", "?dryRun=true"])
    expect(await send("POST", `/paid/reversal${query}`, { secondsToFinalize: 3600 })).toMatchObject({
      status: 400,
      body: { errors: [{ pointer: "/reversalId", code: "required" }] },
    });
  await callerOf(db, "operator").batches.reversible({ contractAddress, batchId: "paid" });
  const named = await send("POST", "/paid/reversal", { secondsToFinalize: 3600, reversalId: "back" });
  expect(named.body).toMatchObject({ batchId: "back", replayed: false });
});

test("only admins can require a key, and each change is audited once", async () => {
  const contractAddress = await newContract();
  const set = (required: boolean) =>
    callerOf(db, "admin").contracts.setKeyRequired({ contractAddress, required });
  const refused = callerOf(db, "operator").contracts.setKeyRequired({ contractAddress, required: true });
  await expect(refused).rejects.toThrow("This requires the role admin");
  const shown = async () => (await callerOf(db, "viewer").contracts.get({ contractAddress })).keyRequired;
  expect(await shown()).toBe(false);
  await times(3, () => set(true));
  expect(await shown()).toBe(true);
  await set(false);
  const changes = await db.sql`
    select actor, detail from audit_log
    where target = ${`contract:${contractAddress}`} and action = 'contract.key' order by id`;
  expect([...changes]).toEqual([
    { actor: "staff:admin@example.com", detail: { from: false, to: true } },
    { actor: "staff:admin@example.com", detail: { from: true, to: false } },
  ]);
});

test("a month's keyless POSTs are those that stored something without a key, also alone and as a reversal, and no others", async () => {
  const { contractAddress, send, counted } = await requiring({ required: false });
  const put = (options: BatchOptions) => submit(contractAddress, [[1, "1"]], options);
  await put({ batchId: uuidv7() });
  await put({ batchId: "paid" });
  await finalize();
  await send("POST", "", BODY, { "Idempotency-Key": "keyed" });
  await send("POST", "?dryRun=true", BODY);
  await send("POST", "", { ...BODY, transfers: [] });
  expect(await counted()).toEqual({ count: 0, isAtLeast: false });
  await send("POST", "", BODY);
  await send("POST", "", { ...BODY, payoutId: "alone" });
  await reverseBatch(context(), LIMITS, { contractAddress, batchId: "paid", secondsToFinalize: 3600 });
  const { send: sendOther } = await requiring({ required: false });
  await sendOther("POST", "", BODY);
  expect(await counted()).toEqual({ count: 3, isAtLeast: false });
  // Of a version that did not note it: an ID as the service makes them counts.
  await withoutTriggers(db, "update batches set keyless = null");
  expect(await counted()).toEqual({ count: 4, isAtLeast: false });
  const earlier = (column: string) => `${column} = ${shifted(column, -30 * 86_400 - 1)}`;
  await withoutTriggers(db, `update batches set ${earlier("created_at")}, ${earlier("finalize_at")}`);
  expect(await counted()).toEqual({ count: 0, isAtLeast: false });
});
