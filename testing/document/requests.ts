import { randomUUID } from "node:crypto";
import { generatePrivateKey, privateKeyToAccount } from "viem/accounts";
import { publishAllocation } from "@/server/allocations/publish-allocation";
import { cancelBatch } from "@/server/batches/change/cancel-batch";
import { reverseBatch } from "@/server/batches/reversal/reverse-batch";

import { idOfKey } from "@/server/batches/submit/digest";
import { submitBatch } from "@/server/batches/submit/submit-batch";
import { encodeNumbers } from "@/server/kernel/cursor";
import { createEndpoint } from "@/server/webhooks/endpoints";

import {
  allocationOf,
  batchOf,
  finalize,
  LIMITS,
  newContract,
  nextAddress,
  snapshotOf,
  submit as store,
  testContext,
  wallet,
} from "@/testing/factories";
import type { SentRequest } from "@/testing/rest-request";
import type { DocumentWorld } from "./world";

export interface Call {
  method: string;
  path: string;
  token: string | null;
  body?: unknown;
  headers?: Record<string, string>;
  /** To the app that serves no books. */
  withoutBooks?: true;
}

export type MakeCall = (world: DocumentWorld) => Call | Promise<Call>;

export interface OperationRow {
  /** Succeeds every time. */
  good: MakeCall;
  /** Also succeed, in another way that may show in the reply. */
  alsoGood?: MakeCall[];
  /** Are refused, each with its own code or header. */
  refused?: MakeCall[];
  /** Calls for statuses that only this operation has a reason for. */
  byStatus?: Record<string, MakeCall>;
}

/** A request to the world's contract with its token. */
const to =
  (method: string, pathOf: (world: DocumentWorld) => string | Promise<string>, body?: unknown): MakeCall =>
  async (world) => ({
    method,
    path: `/v1/contracts/${world.contract}${await pathOf(world)}`,
    token: world.tokens.own,
    body,
  });

const changed =
  (make: MakeCall, change: (world: DocumentWorld) => Partial<Call>): MakeCall =>
  async (world) => ({ ...(await make(world)), ...change(world) });
export const asOperator = (make: MakeCall) => changed(make, ({ tokens }) => ({ token: tokens.operator }));
/** Bodies that are refused before they are read. */
export const unreadable = (make: MakeCall): MakeCall[] => [
  changed(make, () => ({ body: "{" })),
  changed(make, () => ({ headers: { "Content-Encoding": "gzip" } })),
];
export const withBody = (make: MakeCall) => changed(make, () => ({ body: { unexpected: true } }));

/** The contract's only webhook, because a contract may have only a few. */
const webhook = async ({ db, contract }: DocumentWorld) => {
  await db.sql`delete from webhook_endpoints`;
  const { endpoint } = await createEndpoint(
    testContext(db),
    { contractAddress: contract, url: "https://example.com/hook", events: ["batch.created"] },
    { serviceSecret: "auth-secret-of-this-test-run", allowPrivate: false },
  );
  return `/webhooks/${endpoint.id}`;
};
const unknownWebhook = () => `/webhooks/${randomUUID()}`;
const WEBHOOK = { url: "https://example.com/other-hook" };
const makeWebhook = to(
  "POST",
  async (world) => {
    await webhook(world);
    return "/webhooks";
  },
  WEBHOOK,
);
const webhooks = to("GET", () => "/webhooks");
const deleteWebhook = to("DELETE", webhook);
const rotate = to("POST", async (world) => `${await webhook(world)}/rotate-secret`, {});
const testWebhook = to("POST", async (world) => `${await webhook(world)}/test`);

/** A row per webhook operation of the document. */
const WEBHOOK_ROWS: Record<string, OperationRow> = {
  "webhooks-list": { good: webhooks },
  "webhooks-create": {
    good: makeWebhook,
    alsoGood: [
      to("POST", () => "/webhooks", WEBHOOK),
      to("POST", () => "/webhooks", { url: "https://example.com/held", events: ["batch.held"] }),
    ],
    refused: [to("POST", () => "/webhooks", { url: "https://127.0.0.1/" })],
  },
  "webhooks-delete": { good: deleteWebhook, refused: [to("DELETE", unknownWebhook)] },
  "webhooks-rotateSecret": {
    good: rotate,
    alsoGood: [to("POST", async (world) => `${await webhook(world)}/rotate-secret`, { overlapSeconds: 0 })],
    refused: [to("POST", () => `${unknownWebhook()}/rotate-secret`, {})],
  },
  "webhooks-test": { good: testWebhook, refused: [to("POST", () => `${unknownWebhook()}/test`)] },
};

const BODY = {
  pointType: "PHASE2_POINTS",
  transfers: [{ toAddress: `0x${"1".repeat(40)}`, points: "10.5" }],
};

/** A transfer that pays a reference of its own again. */
const paidAgain =
  (send: MakeCall): MakeCall =>
  async (world) => {
    const reference = randomUUID();
    await store(world.db, batchOf(world.contract, [[1, "1", reference]], { secondsToFinalize: 3600 }));
    const transfers = BODY.transfers.map((transfer) => ({ ...transfer, reference }));
    return { ...(await send(world)), body: { ...BODY, transfers } };
  };

const submitted = async ({ db, contract }: DocumentWorld) => {
  const batchId = await store(db, batchOf(contract, [[1, "10.5"]], { secondsToFinalize: 3600 }));
  return `/batches/${batchId}`;
};

/** A payout of two batches, of which one is cancelled. */
const payoutOf = async ({ db, contract }: DocumentWorld) => {
  const payoutId = randomUUID();
  const send = (rows: Parameters<typeof batchOf>[1]) =>
    submitBatch(testContext(db), LIMITS, {
      ...batchOf(contract, rows, { secondsToFinalize: 3600 }),
      payoutId,
    });
  await send([[1, "10.5"]]);
  const { batchId } = await send([[2, "2.25"]]);
  await cancelBatch(testContext(db), { contractAddress: contract, batchId });
  return payoutId;
};

const finalized = async ({ db, contract }: DocumentWorld) => {
  const batchId = await store(
    db,
    batchOf(contract, [
      [1, "10.5"],
      [2, "2.25"],
    ]),
  );
  await finalize(db);
  return `/batches/${batchId}`;
};

const reversal = to("POST", async (world) => `${await finalized(world)}/reversal`, {});
const takenBack = async (world: DocumentWorld) => {
  const batch = await finalized(world);
  const contractAddress = world.contract;
  const batchId = batch.slice("/batches/".length);
  await reverseBatch(testContext(world.db), LIMITS, { contractAddress, batchId, secondsToFinalize: 3600 });
  return `${batch}/reversal`;
};

/** A reversal by its ID. */
const pendingReversal = async (world: DocumentWorld) => {
  const reversalId = `back-${randomUUID()}`;
  const batchId = (await finalized(world)).slice("/batches/".length);
  const input = { contractAddress: world.contract, batchId, reversalId, secondsToFinalize: 3600 };
  await reverseBatch(testContext(world.db), LIMITS, input);
  return { batchId, reversalId };
};
const sameReversal = ({ batchId, reversalId }: Record<"batchId" | "reversalId", string>) =>
  to("POST", () => `/batches/${batchId}/reversal`, { reversalId, secondsToFinalize: 3600 });
/** A reversal that was cancelled is sent again. */
const cancelledReversal = async (world: DocumentWorld): Promise<Call> => {
  const pending = await pendingReversal(world);
  await cancelBatch(testContext(world.db), { contractAddress: world.contract, batchId: pending.reversalId });
  return sameReversal(pending)(world);
};
/** The recipient is a contract that has sent on what it got. */
const spentByRecipient = async (world: DocumentWorld): Promise<Call> => {
  const recipient = nextAddress();
  await newContract(world.db, { address: recipient, issuance: "PREFUNDED" });
  const batchId = await store(world.db, batchOf(world.contract, [[recipient, "3"]]));
  await finalize(world.db);
  await store(world.db, batchOf(recipient, [[1, "3"]]));
  return to("POST", () => `/batches/${batchId}/reversal`, {})(world);
};

const HELD = { pointType: "PHASE2_POINTS" };
const clearSnapshots = async ({ db }: DocumentWorld) => {
  const unused = db.sql`
    select id from snapshots except select snapshot_id from allocations where published_at is not null`;
  await db.sql`
    delete from snapshot_holders where snapshot_id in (select uuid_send(id) from (${unused}) as u)`;
  await db.sql`delete from snapshots where id in (${unused})`;
  await db.sql`delete from ledger_checks`;
  return "/snapshots";
};
const takeSnapshot = to("POST", clearSnapshots, HELD);
/** One of two holders. */
const taken = async (world: DocumentWorld) => {
  await clearSnapshots(world);
  await finalized(world);
  await snapshotOf(world.db, { contractAddress: world.contract, pointType: "PHASE2_POINTS" });
  return "";
};
/** The path of a claim in an allocation that is published once. */
const claimPath = async (world: DocumentWorld, address = wallet(1)) => {
  const { db, contract: contractAddress } = world;
  const [kept] = await db.sql<{ id: string }[]>`select id from allocations where published_at is not null`;
  if (kept) return `/v1/allocations/${kept.id}/claims/${address}`;
  await finalized(world);
  const { id: snapshotId } = await snapshotOf(db, { contractAddress, pointType: "PHASE2_POINTS" });
  const rule = { rule: "PRO_RATA", total: "1000", decimals: 18 } as const;
  const { id: allocationId } = await allocationOf(db, { snapshotId, name: "Season 1", ...rule });
  await publishAllocation(testContext(db, "ops"), { allocationId });
  return `/v1/allocations/${allocationId}/claims/${address}`;
};
const claim =
  (address?: string): MakeCall =>
  async (world) => ({ method: "GET", path: await claimPath(world, address), token: null });
/** The app reads only the last check. */
const outOfBalance: MakeCall = async (world) => {
  const call = await takeSnapshot(world);
  await world.db.sql`
    insert into ledger_checks (started_by, started_at, is_ok, batches, transfers, accounts)
    values ('test', now(), false, 0, 0, 0)`;
  return call;
};

const listed = to("GET", () => "/batches");
const read = to("GET", () => "/batches/pending");
/** A payment whose transfer was taken back. */
const payments = to("GET", async ({ db, contract }) => {
  const batchId = randomUUID();
  await store(db, batchOf(contract, [[1, "1", batchId]], { batchId }));
  await finalize(db);
  const input = { contractAddress: contract, batchId, secondsToFinalize: 0 };
  await reverseBatch(testContext(db), LIMITS, input);
  await finalize(db);
  return `/transfers?reference=${batchId}`;
});
const cancel = to("DELETE", submitted);
const root = to("GET", async (world) => `${await finalized(world)}/root`);
const receipt = to("GET", async (world) => `${await finalized(world)}/receipts/${wallet(1)}`);
const balances = to("GET", () => "/point-balances");
const MONTH = new Date().toISOString().slice(0, 7);
const statement = to("GET", () => `/statements?month=${MONTH}`);
const submit = to("POST", () => "/batches", BODY);
const put = to("PUT", () => `/batches/${randomUUID()}`, BODY);
const repeated = to("PUT", () => "/batches/repeated", BODY);

/** The content of a batch that was cancelled. */
const cancelledContent = to(
  "PUT",
  async ({ db, contract }) => {
    const rows = BODY.transfers.map(({ toAddress, points }) => [toAddress, points] as const);
    const batchId = await store(db, batchOf(contract, rows, { secondsToFinalize: null }));
    await cancelBatch(testContext(db), { contractAddress: contract, batchId });
    return `/batches/${batchId}`;
  },
  BODY,
);

const keyed = (key: string) => changed(submit, () => ({ headers: { "Idempotency-Key": key } }));
const cancelledKey: MakeCall = async (world) => {
  const { contract: contractAddress, db } = world;
  const key = randomUUID();
  const batchId = idOfKey(contractAddress, key);
  const rows = BODY.transfers.map(({ toAddress, points }) => [toAddress, points] as const);
  await store(db, batchOf(contractAddress, rows, { batchId, secondsToFinalize: null }));
  await cancelBatch(testContext(db), { contractAddress, batchId });
  return keyed(key)(world);
};

const signIn =
  (path: string, bodyOf: (world: DocumentWorld) => unknown): MakeCall =>
  async (world) => ({
    method: "POST",
    path: `/v1/dapp-auth/${path}`,
    token: null,
    body: await bodyOf(world),
  });

const open =
  (path: string): MakeCall =>
  () => ({ method: "GET", path, token: null });

const STRANGER = privateKeyToAccount(generatePrivateKey());
const NOT_SIGNED = `0x${"1".repeat(130)}`;
const challenge = signIn("challenge", ({ contract, operator }) => ({
  contractAddress: contract,
  operatorAddress: operator.address,
}));
const solve = signIn("solve", ({ solvedChallenge }) => solvedChallenge());

/** A row per operation of the document. */
export const OPERATION_ROWS: Record<string, OperationRow> = {
  "batches-submit": {
    good: changed(submit, () => ({
      body: { ...BODY, metadata: { campaign: "summer" }, payoutId: "season-3" },
    })),
    alsoGood: [
      submit,
      to("POST", () => "/batches?dryRun=true", BODY),
      to("POST", () => "/batches?dryRun=false", BODY),
      ...[keyed("repeated"), keyed("repeated")],
    ],
    refused: [
      paidAgain(submit),
      cancelledKey,
      changed(keyed("repeated"), () => ({ body: { ...BODY, pointType: "PHASE2_GOLD" } })),
    ],
  },
  "batches-submitIdempotently": {
    good: put,
    alsoGood: [repeated, repeated, to("PUT", () => "/batches/repeated?dryRun=true", BODY)],
    refused: [cancelledContent, paidAgain(put)],
    byStatus: { "409": to("PUT", () => "/batches/pending", { ...BODY, pointType: "PHASE2_GOLD" }) },
  },
  "batches-reverse": {
    good: reversal,
    alsoGood: [
      to("POST", async (world) => `${await finalized(world)}/reversal?dryRun=true`, {}),
      async (world) => sameReversal(await pendingReversal(world))(world),
    ],
    refused: [
      asOperator(reversal),
      to("POST", () => "/batches/nothing/reversal", {}),
      to("POST", () => "/batches/pending/reversal", {}),
      to("POST", takenBack, {}),
      cancelledReversal,
      spentByRecipient,
    ],
    byStatus: {
      "422": to("POST", takenBack, {}),
      "409": to("POST", async (world) => `${await finalized(world)}/reversal`, { reversalId: "pending" }),
    },
  },
  "batches-list": {
    good: listed,
    alsoGood: [
      to("GET", () => "/batches?limit=1&sort=ASC&status=CANCELLED&pointType=PHASE2_POINTS"),
      to("GET", ({ cursors }) => `/batches?limit=1&cursor=${cursors.plain}`),
      to("GET", () => "/batches?metadata[campaign]=summer&include=metadata"),
    ],
    refused: [
      to("GET", () => "/batches?cursor=garbled"),
      to("GET", ({ cursors }) => `/batches?limit=1&cursor=${cursors.ascending}`),
    ],
  },
  "batches-get": { good: read, refused: [to("GET", () => "/batches/nothing")] },
  "requests-list": {
    // What is newer changes with every request, and so would its ETag.
    good: to("GET", () => "/requests?createdBefore=2026-01-01"),
    alsoGood: [to("GET", () => "/requests?limit=10&code=validation_failed&createdAfter=2026-01-01")],
    refused: [
      to("GET", () => "/requests?cursor=garbled"),
      to("GET", ({ cursors }) => `/requests?cursor=${cursors.plain}`),
      to("GET", () => "/requests?code=nonsense&tokenId=1&requestId=%20"),
    ],
  },
  "snapshots-take": {
    good: takeSnapshot,
    alsoGood: [to("POST", clearSnapshots, { ...HELD, name: "Season 1", includeContracts: true })],
    refused: [
      to("POST", clearSnapshots, { ...HELD, asOf: "2999-01-01" }),
      to("POST", clearSnapshots, { ...HELD, asOf: "2000-01-01" }),
    ],
    byStatus: { "422": outOfBalance },
  },
  "snapshots-list": {
    good: to("GET", async (world) => `${await taken(world)}/snapshots`),
    alsoGood: [to("GET", clearSnapshots)],
  },
  "snapshots-holders": {
    good: to("GET", async (world) => `${await taken(world)}/holders?pointType=PHASE2_POINTS`),
    alsoGood: [to("GET", async (world) => `${await taken(world)}/holders?pointType=PHASE2_POINTS&limit=1`)],
    refused: [
      to("GET", () => "/holders"),
      to("GET", () => "/holders?pointType=PHASE2_GOLD"),
      to("GET", () => "/holders?pointType=PHASE2_POINTS&snapshotId=1"),
      to("GET", async (world) => `${await taken(world)}/holders?pointType=PHASE2_POINTS&cursor=garbled`),
      to(
        "GET",
        async (world) =>
          `${await taken(world)}/holders?pointType=PHASE2_POINTS&cursor=${encodeNumbers([1n], "another")}`,
      ),
    ],
  },
  "batches-payments": {
    good: payments,
    alsoGood: [to("GET", () => "/transfers?reference=never")],
    refused: [to("GET", () => "/transfers")],
  },
  "batches-cancel": {
    good: cancel,
    refused: [to("DELETE", () => "/batches/nothing")],
    byStatus: { "409": to("DELETE", () => "/batches/cancelled") },
  },
  "payouts-get": {
    good: to("GET", async (world) => `/payouts/${await payoutOf(world)}`),
    refused: [to("GET", () => "/payouts/nothing")],
  },
  "payouts-cancel": {
    good: to("DELETE", async (world) => `/payouts/${await payoutOf(world)}`),
    refused: [to("DELETE", () => "/payouts/nothing")],
  },
  "receipts-root": {
    good: root,
    refused: [
      to("GET", () => "/batches/cancelled/root"),
      to("GET", () => "/batches/nothing/root"),
      to("GET", async (world) => `/batches/${(await pendingReversal(world)).reversalId}/root`),
    ],
    byStatus: { "422": to("GET", () => "/batches/pending/root") },
  },
  "receipts-get": {
    good: receipt,
    refused: [
      to("GET", async (world) => `${await finalized(world)}/receipts/${wallet(3)}`),
      to("GET", () => `/batches/nothing/receipts/${wallet(1)}`),
    ],
    byStatus: { "422": to("GET", () => `/batches/pending/receipts/${wallet(1)}`) },
  },
  "balances-get": { good: balances },
  "statements-get": {
    good: statement,
    alsoGood: [to("GET", () => `/statements?month=${MONTH}&pointType=PHASE2_GOLD`)],
    refused: [to("GET", () => "/statements")],
  },
  ...WEBHOOK_ROWS,
  "allocations-claim": {
    good: claim(),
    refused: [claim(wallet(3)), claim("0x1"), open("/v1/allocations/1/claims/0x1")],
    byStatus: {
      "400": claim("0x1"),
      "404": open(`/v1/allocations/${randomUUID()}/claims/${wallet(1)}`),
    },
  },
  "books-get": {
    good: open("/v1/books"),
    byStatus: {
      "400": open("/v1/books?from=2026-01-31"),
      "404": changed(open("/v1/books"), () => ({ withoutBooks: true })),
    },
  },
  "operators-challenge": {
    good: challenge,
    byStatus: {
      "400": signIn("challenge", () => ({})),
      "404": signIn("challenge", ({ unregistered }) => ({
        contractAddress: unregistered,
        operatorAddress: unregistered,
      })),
    },
  },
  "operators-solve": {
    good: solve,
    refused: [
      signIn("solve", async ({ solvedChallenge }) => ({
        ...(await solvedChallenge()),
        signature: NOT_SIGNED,
      })),
    ],
    byStatus: {
      "400": signIn("solve", () => ({})),
      "401": signIn("solve", () => ({ challengeData: "nonsense", signature: NOT_SIGNED })),
      "403": signIn("solve", ({ contract, solvedChallenge }) => solvedChallenge(contract, STRANGER)),
      "404": signIn("solve", ({ unregistered, solvedChallenge }) => solvedChallenge(unregistered)),
    },
  },
};

export function toSent({ method, path, token, body, headers }: Call): SentRequest {
  const bytes =
    body === undefined ? [] : [Buffer.from(typeof body === "string" ? body : JSON.stringify(body))];
  const all = {
    "X-Forwarded-For": "192.0.2.1",
    ...(token === null ? {} : { Authorization: `Bearer ${token}` }),
    ...(body === undefined ? {} : { "Content-Type": "application/json" }),
    ...headers,
  };
  return { method, path, headers: Object.entries(all), body: bytes };
}
