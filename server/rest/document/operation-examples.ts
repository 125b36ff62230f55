import { challengeMessage } from "@/server/operators/challenge";
import { POINT_TYPES } from "@/terms/batch-terms";

export const CONTRACT = "0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed";
export const RECIPIENTS = [
  "0xfB6916095ca1df60bB79Ce92cE3Ea74c37c5d359",
  "0xdbF03B407c01E7cD3CBea99509d93f8DDDC8C6FB",
] as const;
export const BATCH_ID = "payout-2026-01-31";
const REVERSAL_ID = `${BATCH_ID}-back`;
const REFERENCE = "season-3:wallet-77";
const DIGEST = "5d41".repeat(16);
const SERVER_ID = "019c1a2b-3c4d-7e5f-8a6b-7c8d9e0f1a2b";

const CHALLENGE = "eyJjb250cmFjdEFkZHJlc3MiOiIweDVhQWUifQ.3v1n6mZ0QmYt5c3m1xk2Jt0cB8m4l0a2kq9Xw7yZ6uE";

const transfers = [
  { toAddress: RECIPIENTS[0], points: "10.5" },
  { toAddress: RECIPIENTS[1], points: "2.25" },
];
const batch = {
  id: BATCH_ID,
  contractAddress: CONTRACT,
  pointType: "PHASE2_POINTS",
  createdAt: "2026-01-31T12:00:00.000Z",
  finalizeAt: "2026-01-31T13:00:00.000Z",
  updatedAt: null,
  status: "PENDING",
  points: "12.75",
  transferCount: 2,
};
const PAYOUT_ID = "season-3";
const payout = {
  id: PAYOUT_ID,
  contractAddress: CONTRACT,
  status: "PENDING",
  batchCount: 1,
  transferCount: 2,
  counts: { pending: 1, onHold: 0, awaitingApproval: 0, finalizing: 0, finalized: 0, cancelled: 0 },
  amounts: [
    {
      ...{ pointType: "PHASE2_POINTS", points: "12.75", paid: "0", notPaid: "0", pending: "12.75" },
      ...{ finalizing: "0", finalized: "0", cancelled: "0", takenBack: "0", takingBack: "0" },
    },
  ],
  notPaid: [],
  firstDueAt: batch.finalizeAt,
  lastDueAt: batch.finalizeAt,
  lastFinalizedAt: null,
  parts: [batch],
};
const metadata = { campaign: "summer" };
const submit = { pointType: "PHASE2_POINTS", secondsToFinalize: 3600, metadata, transfers };
const dryRun = (batchId: string | null, reverses = {}) => ({
  dryRun: true,
  batchId,
  ...reverses,
  replayed: false,
  pointType: "PHASE2_POINTS",
  points: "12.75",
  transferCount: 2,
  secondsToFinalize: 3600,
  finalizeAt: batch.finalizeAt,
  digest: DIGEST,
});
const payment = {
  batchId: BATCH_ID,
  position: 0,
  ...transfers[0],
  pointType: "PHASE2_POINTS",
  status: "FINALIZED",
};
const balances = { availableBefore: "100", availableAfter: "87.25", issued: "0" };
const snapshot = {
  id: SERVER_ID,
  name: "Season 1",
  pointType: "PHASE2_POINTS",
  asOf: "2026-02-01T00:00:00.000Z",
  includesContracts: false,
  status: "TAKEN",
  requestedAt: "2026-02-01T00:00:00.000Z",
  finishedAt: "2026-02-01T00:00:01.000Z",
  holders: 2,
  points: "12.75",
  leftOut: "0",
  ledgerTotal: "12.75",
  digest: DIGEST,
  failure: null,
};
const notTakenYet = {
  ...{ status: "RUNNING", finishedAt: null, holders: 0, points: "0" },
  ...{ leftOut: null, ledgerTotal: null, digest: null },
};
const holders = transfers.map(({ toAddress: address, points }) => ({ address, points }));
const WEBHOOK_ID = "7d9f1c1e-6f5e-4c57-9f0a-2b1d3c4e5f60";
const WEBHOOK_SECRET = `whsec_${"x".repeat(43)}=`;
const webhook = {
  id: WEBHOOK_ID,
  url: "https://example.com/webhooks/points",
  events: ["batch.finalized", "batch.cancelled"],
  createdAt: batch.createdAt,
  disabledAt: null,
  failingSince: null,
  previousSecretUntil: null,
};
const ROOT = "0xd12f4f878694ed7037564d7f2acf320e317a3382d36fce4628e322993cce10bc";
const receipt = {
  contractAddress: CONTRACT,
  batchId: BATCH_ID,
  pointType: "PHASE2_POINTS",
  position: 0,
  ...transfers[0],
  leaf: [CONTRACT, BATCH_ID, "PHASE2_POINTS", "0", RECIPIENTS[0], "10500000000000"],
  proof: ["0x91451c8841346463d0f436b44174052390f9173c272086df57302f423e8e85df"],
  root: ROOT,
};
const CLAIMS_ROOT = "0xbe837c069012cf72a9aed58523701f70b923aec0c0f8d53d6e4570d63741f8d0";
const claim = {
  allocationId: "3f1d7a52-6c0e-4b8f-9a57-1e2d3c4b5a69",
  name: "Season 1",
  address: RECIPIENTS[0],
  amount: "10500000000000000000",
  tokens: "10.5",
  decimals: 18,
  index: 1,
  position: 2,
  proof: ["0xb60a2ff00dacec72b1a0ee571691deea3e2683624ce01f4f5d6a5fc12d5534eb"],
  root: CLAIMS_ROOT,
  roots: {
    openzeppelin: CLAIMS_ROOT,
    uniswap: "0xbbd701341019841a8ccc68a1755bf4338db7eee486fa0c2a3e090afb8604fa64",
    sablier: "0xef2b4f7a7b88aa2106749ee0595e370892b3c741b1df23685eddda2a4bd79da2",
  },
};
/** One entry per point type. The first type has the amounts, the other one none. */
const perType = (amounts: object) =>
  POINT_TYPES.map((pointType, at) => ({ pointType, ...(at === 0 ? amounts : zeros(amounts)) }));
const zeros = (amounts: object) => Object.fromEntries(Object.keys(amounts).map((name) => [name, "0"]));
const books = {
  readAt: "2026-02-01T12:00:30.000Z",
  totals: perType({ issued: "1000", available: "987.25", pending: "12.75", sent: "50", credited: "50" }),
  accounts: 12,
  totalsAt: "2026-02-01T12:00:00.000Z",
  totalsAgeSeconds: 30,
  lastCheck: {
    result: "IN_BALANCE",
    reach: "INCREMENTAL",
    startedAt: "2026-02-01T12:00:00.000Z",
    finishedAt: "2026-02-01T12:00:02.000Z",
    ageSeconds: 28,
  },
  inBalanceSince: "2026-01-01T12:00:02.000Z",
};
const account = {
  available: "87.25",
  pendingSent: "12.75",
  earnedCumulative: "150",
  receivedCumulative: "0",
  finalizedSentCumulative: "50",
};

interface OperationExamples {
  request?: object;
  /** Replies of 200, by name, without `success`. */
  replies: Record<string, object>;
}

export const OPERATION_EXAMPLES: Record<string, OperationExamples> = {
  "batches-submit": {
    request: submit,
    replies: { submitted: { batchId: SERVER_ID, replayed: false }, dryRun: { ...dryRun(null), ...balances } },
  },
  "batches-submitIdempotently": {
    request: submit,
    replies: {
      submitted: { batchId: BATCH_ID, replayed: false },
      dryRun: { ...dryRun(BATCH_ID), ...balances },
    },
  },
  "batches-reverse": {
    request: {
      toAddresses: [RECIPIENTS[0]],
      secondsToFinalize: 3600,
      reason: "Paid twice",
      reversalId: REVERSAL_ID,
    },
    replies: {
      submitted: { batchId: REVERSAL_ID, replayed: false },
      dryRun: { ...dryRun(REVERSAL_ID, { reverses: BATCH_ID }), points: "10.5", transferCount: 1 },
    },
  },
  "batches-list": {
    replies: {
      page: { batch: [batch], cursor: "1mgz3k0w0.2s.1q2w3e4r5t6y7.0a1b2c3d4e5f6" },
      lastPage: { batch: [], cursor: null },
    },
  },
  "batches-get": {
    replies: {
      batch: {
        batch: {
          ...batch,
          metadata,
          digest: DIGEST,
          transfers: [{ ...transfers[0], reference: REFERENCE }, transfers[1]],
        },
      },
    },
  },
  "batches-payments": { replies: { paid: { transfers: [payment] }, notPaid: { transfers: [] } } },
  "batches-cancel": { replies: { cancelled: { batchId: BATCH_ID } } },
  "payouts-get": { replies: { payout: { payout } } },
  "payouts-cancel": {
    replies: {
      cancelled: {
        payoutId: PAYOUT_ID,
        cancelled: 1,
        left: 0,
        counts: { ...payout.counts, pending: 0, cancelled: 1 },
      },
    },
  },
  "receipts-root": { replies: { root: { root: ROOT, leaves: 2 } } },
  "receipts-get": { replies: { receipt: { receipt } } },
  "balances-get": {
    replies: { balances: { balancesByPointType: { PHASE2_POINTS: account, PHASE2_GOLD: zeros(account) } } },
  },
  "statements-get": {
    replies: {
      month: {
        contractAddress: CONTRACT,
        month: "2026-01",
        from: "2026-01-01T00:00:00.000Z",
        to: "2026-02-01T00:00:00.000Z",
        isFinal: true,
        statements: perType({
          opening: "60",
          issued: "90",
          received: "0",
          sent: "50",
          closing: "100",
          pending: "12.75",
          cancelled: "5",
        }),
      },
    },
  },
  "webhooks-list": { replies: { webhooks: { webhooks: [webhook] } } },
  "webhooks-create": {
    request: { url: webhook.url, events: webhook.events },
    replies: { created: { webhook, secret: WEBHOOK_SECRET, replayed: false } },
  },
  "webhooks-delete": { replies: { deleted: { webhookId: WEBHOOK_ID } } },
  "webhooks-rotateSecret": {
    request: { overlapSeconds: 3600 },
    replies: { rotated: { secret: WEBHOOK_SECRET, previousSecretUntil: batch.finalizeAt } },
  },
  "webhooks-test": { replies: { queued: { deliveryId: "0b6f2f0e-58f4-4c39-8f5e-0d6a1c2b3e4f" } } },
  "requests-list": {
    replies: {
      refused: {
        requests: [
          {
            createdAt: batch.createdAt,
            operation: "POST /v1/contracts/{contractAddress}/batches",
            status: 422,
            code: "insufficient_points",
            requestId: "0b6f2f0e-58f4-4c39-8f5e-0d6a1c2b3e4f",
            tokenId: "7d9f1c1e-6f5e-4c57-9f0a-2b1d3c4e5f60",
            caller: "token:payouts",
            network: "198.51.100.0/24",
            errors: [],
          },
        ],
        cursor: null,
      },
    },
  },
  "snapshots-take": {
    request: { pointType: "PHASE2_POINTS", name: "Season 1" },
    replies: { requested: { snapshot: { ...snapshot, ...notTakenYet } } },
  },
  "snapshots-list": { replies: { snapshots: { snapshots: [snapshot] } } },
  "snapshots-holders": { replies: { holders: { snapshot, holders, cursor: null } } },
  "allocations-claim": { replies: { claim: { claim } } },
  "books-get": { replies: { books: { books } } },
  "operators-challenge": {
    request: { contractAddress: CONTRACT, operatorAddress: RECIPIENTS[0] },
    replies: {
      challenge: {
        challengeData: CHALLENGE,
        message: challengeMessage({
          contractAddress: CONTRACT,
          operatorAddress: RECIPIENTS[0],
          origin: "https://points.example.com",
          chainId: 1,
          nonce: "8f0d7c6b5a49382716050f1e2d3c4b5a",
          issuedAtMs: Date.parse(batch.createdAt),
          seconds: 60,
        }),
      },
    },
  },
  "operators-solve": {
    request: { challengeData: CHALLENGE, signature: `0x${"5d41".repeat(32)}1b` },
    replies: { token: { bearerToken: `pto_${"x".repeat(36)}` } },
  },
};
