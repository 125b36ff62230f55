import { cancelBatch } from "./cancel-batch.ts";
import { getBatch } from "./get-batch.ts";
import { BATCH_PATH, CONTRACT_PATH, PAYOUT_PATH } from "./paths.ts";
import { type CancelPayoutOptions, cancelPayout } from "./payouts.ts";
import { type BatchPage, iterateBatches, listBatches, read, readOfContract } from "./read-contract.ts";
import { dryRunReversal, reverseBatch } from "./reverse-batch.ts";
import type {
  BalancesByPointType,
  Batch,
  BatchRoot,
  BatchWithTransfers,
  Books,
  CancelledPayout,
  Claim,
  DryRun,
  Holder,
  HolderPage,
  HoldersQuery,
  ListQuery,
  MonthOfStatements,
  NewBatch,
  NewReversal,
  NewSnapshot,
  Payment,
  Payout,
  PointType,
  Receipt,
  ReversalDryRun,
  Snapshot,
  SubmittedBatch,
} from "./shapes.ts";
import { type OperatorSession, type SignInOptions, signIn } from "./sign-in.ts";
import { iterateHolders, listHolders, SNAPSHOTS_PATH, takeSnapshot } from "./snapshots.ts";
import { type PayoutPart, type SubmitAllOptions, submitAll } from "./submit-all.ts";
import { dryRunBatch, type SubmitOptions, submitBatch } from "./submit-batch.ts";
import type { TokenSource } from "./token.ts";
import { type CallOptions, type ClientContext, createTransport, type TransportOptions } from "./transport.ts";
import { type WaitOptions, waitUntilFinalized } from "./wait-until-finalized.ts";

export interface ClientOptions extends TransportOptions {
  /**
   * An access token, or a function that returns one, such as `operatorToken(…)`. Only signing in, the public
   * books and published claims need none.
   */
  token?: TokenSource;
  /** The default contract of every call. */
  contractAddress?: string;
}

/** Every call rejects with a `ClientError`, or with the reason of its signal. */
export interface Client {
  /** Submits under an id, so that a retry is safe. With `dryRun` it stores nothing, like `dryRunBatch`. */
  submitBatch(batch: NewBatch, options?: SubmitOptions & { dryRun?: false }): Promise<SubmittedBatch>;
  submitBatch(batch: NewBatch, options: SubmitOptions & { dryRun: true }): Promise<DryRun>;
  /** What submitting the batch would do, with an error for every invalid row. */
  dryRunBatch(batch: NewBatch, options?: SubmitOptions): Promise<DryRun>;
  /**
   * Submits a list of any length that `planPayout` has split: dry runs of all parts, a confirmation, the
   * submits, and a check of what was stored. To continue after a failure or a crash, plan the same list and
   * call it again.
   */
  submitAll(parts: readonly PayoutPart[], options?: SubmitAllOptions): Promise<void>;
  getBatch(batchId: string, options?: CallOptions): Promise<BatchWithTransfers>;
  /** One page. */
  listBatches(query?: ListQuery, options?: CallOptions): Promise<BatchPage>;
  /** All pages, for `for await`. */
  iterateBatches(query?: ListQuery, options?: CallOptions): AsyncGenerator<Batch, void, undefined>;
  /** The transfers with this reference, also those that were cancelled or taken back, newest first. */
  findPayments(reference: string, options?: CallOptions): Promise<Payment[]>;
  cancelBatch(batchId: string, options?: CallOptions): Promise<{ batchId: string }>;
  /** All batches with this `payoutId`: the ID prefix of a plan. @throws ApiProblem `payout_not_found`, … */
  getPayout(payoutId: string, options?: CallOptions): Promise<Payout>;
  /** Cancels what is pending of a payout, in as many requests as that takes. */
  cancelPayout(payoutId: string, options?: CancelPayoutOptions): Promise<CancelledPayout>;
  /** Takes back a finalized batch, or some of its transfers, as a batch of its own. Safe to retry. */
  reverseBatch(batchId: string, reversal?: NewReversal, options?: CallOptions): Promise<SubmittedBatch>;
  /** What `reverseBatch` would do. */
  dryRunReversal(batchId: string, reversal?: NewReversal, options?: CallOptions): Promise<ReversalDryRun>;
  /** The Merkle root of a finalized batch. @throws ApiProblem `batch_not_finalized`, … */
  getRoot(batchId: string, options?: CallOptions): Promise<BatchRoot>;
  /** Proof that a finalized batch has a transfer to the address. @throws ApiProblem `receipt_not_found`, … */
  getReceipt(batchId: string, address: string, options?: CallOptions): Promise<Receipt>;
  /** The balances of the contract per point type, as decimal strings. */
  getBalances(options?: CallOptions): Promise<BalancesByPointType>;
  /**
   * What the contract held, received and sent in a calendar month in UTC, such as `2026-01`: one statement
   * per point type, or only the given one. @throws ApiProblem `validation_failed` for a month that has no
   * statement, …
   */
  getStatements(month: string, options?: CallOptions & { pointType?: PointType }): Promise<MonthOfStatements>;
  /** Freezes what the contract's recipients hold of its points, now or at an earlier time. */
  takeSnapshot(snapshot: NewSnapshot, options?: CallOptions): Promise<Snapshot>;
  /** All snapshots of the contract, the newest first. */
  listSnapshots(options?: CallOptions): Promise<Snapshot[]>;
  /** One page of the holders in the newest snapshot, or in the one of the query. */
  listHolders(query: HoldersQuery, options?: CallOptions): Promise<HolderPage>;
  /** All holders of one snapshot, for `for await`. */
  iterateHolders(query: HoldersQuery, options?: CallOptions): AsyncGenerator<Holder, void, undefined>;
  /**
   * What an address gets by a published allocation, with its Merkle proof. Needs no token.
   * @throws ApiProblem `allocation_not_found`, `claim_not_found`, …
   */
  getClaim(allocationId: string, address: string, options?: Pick<CallOptions, "signal">): Promise<Claim>;
  /**
   * The totals of all points, and whether the last self-check found the ledger in balance. Needs no token.
   * @throws ApiProblem `not_found` unless the service runs with `PUBLIC_BOOKS=on`, …
   */
  getBooks(options?: Pick<CallOptions, "signal">): Promise<Books>;
  /** Resolves once it is FINALIZED. Rejects with `BatchCancelled`, or `BatchOverdue` if it takes too long. */
  waitUntilFinalized(batchId: string, options?: WaitOptions): Promise<BatchWithTransfers>;
  /** A token for the contract's operator. */
  signIn(options: SignInOptions): Promise<OperatorSession>;
}

/** @throws InvalidArgument */
export function createClient(options: ClientOptions): Client {
  const ctx: ClientContext = {
    transport: createTransport(options, options.token ?? null),
    contractAddress: options.contractAddress,
  };
  // The public books and published claims need no token.
  const publicly = { ...ctx, transport: { ...ctx.transport, token: null } };

  const submit = (batch: NewBatch, options: SubmitOptions & { dryRun?: boolean } = {}) =>
    options.dryRun ? dryRunBatch(ctx, batch, options) : submitBatch(ctx, batch, options);

  return {
    submitBatch: submit as Client["submitBatch"],
    dryRunBatch: (batch, more) => dryRunBatch(ctx, batch, more),
    submitAll: (parts, more) => submitAll(ctx, parts, more),
    getBatch: (batchId, more) => getBatch(ctx, batchId, more),
    listBatches: (query, more) => listBatches(ctx, query, more),
    iterateBatches: (query, more) => iterateBatches(ctx, query, more),
    findPayments: async (reference, more) => {
      const path = `${CONTRACT_PATH}/transfers`;
      return (await readOfContract(ctx, [path, {}], "transfers", more, { reference })).transfers;
    },
    cancelBatch: (batchId, more) => cancelBatch(ctx, batchId, more),
    getPayout: async (payoutId, more) =>
      (await readOfContract(ctx, [PAYOUT_PATH, { payoutId }], "payout", more)).payout,
    cancelPayout: (payoutId, more) => cancelPayout(ctx, payoutId, more),
    reverseBatch: (batchId, reversal, more) => reverseBatch(ctx, batchId, reversal, more),
    dryRunReversal: (batchId, reversal, more) => dryRunReversal(ctx, batchId, reversal, more),
    getRoot: (batchId, more) => readOfContract(ctx, [`${BATCH_PATH}/root`, { batchId }], "root", more),
    getReceipt: async (batchId, address, more) =>
      (await readOfContract(ctx, [`${BATCH_PATH}/receipts/{address}`, { batchId, address }], "receipt", more))
        .receipt,
    getBalances: async (more) =>
      (await readOfContract(ctx, [`${CONTRACT_PATH}/point-balances`, {}], "balancesByPointType", more))
        .balancesByPointType,
    getStatements: (month, { pointType, ...more } = {}) =>
      readOfContract(ctx, [`${CONTRACT_PATH}/statements`, {}], "statements", more, { month, pointType }),
    takeSnapshot: (snapshot, more) => takeSnapshot(ctx, snapshot, more),
    listSnapshots: async (more) =>
      (await readOfContract(ctx, [SNAPSHOTS_PATH, {}], "snapshots", more)).snapshots,
    listHolders: (query, more) => listHolders(ctx, query, more),
    iterateHolders: (query, more) => iterateHolders(ctx, query, more),
    getClaim: async (allocationId, address, more) => {
      const path = "/v1/allocations/{allocationId}/claims/{address}";
      return (await read(publicly, [path, { allocationId, address }], "claim", more)).claim;
    },
    getBooks: async (more) => (await read(publicly, ["/v1/books", {}], "books", more)).books,
    waitUntilFinalized: (batchId, more) => waitUntilFinalized(ctx, batchId, more),
    signIn: (more) => signIn(ctx, more),
  };
}
