import { cancelBatch } from "./cancel-batch.ts";
import type { CallOptions, ClientContext } from "./client-context.ts";
import { dryRunBatch } from "./dry-run-batch.ts";
import { getBalances } from "./get-balances.ts";
import { getBatch } from "./get-batch.ts";
import { type BatchPage, iterateBatches, listBatches } from "./list-batches.ts";
import type {
  BalancesByPointType,
  Batch,
  BatchWithTransfers,
  DryRun,
  ListQuery,
  NewBatch,
} from "./shapes.ts";
import { type OperatorSession, type SignInOptions, signIn } from "./sign-in.ts";
import { type SubmitOptions, type SubmittedBatch, submitBatch } from "./submit-batch.ts";
import type { TokenSource } from "./token.ts";
import { createTransport, type TransportOptions } from "./transport.ts";
import { type WaitOptions, waitUntilFinalized } from "./wait-until-finalized.ts";

export interface ClientOptions extends TransportOptions {
  /** An access token, or what gives one: a function, `operatorToken(…)`. Only signing in needs none. */
  token?: TokenSource;
  /** The contract of every call that does not name another. */
  contractAddress?: string;
}

/** Every call rejects with a `ClientError`, or with the reason of its signal. */
export interface Client {
  /** Submits under an id, so that sending it again is safe. With `dryRun` it stores nothing, as `dryRunBatch`. */
  submitBatch(batch: NewBatch, options?: SubmitOptions & { dryRun?: false }): Promise<SubmittedBatch>;
  submitBatch(batch: NewBatch, options: SubmitOptions & { dryRun: true }): Promise<DryRun>;
  /** What submitting the batch would do, every bad row included. */
  dryRunBatch(batch: NewBatch, options?: SubmitOptions): Promise<DryRun>;
  getBatch(batchId: string, options?: CallOptions): Promise<BatchWithTransfers>;
  /** One page. */
  listBatches(query?: ListQuery, options?: CallOptions): Promise<BatchPage>;
  /** All pages, for `for await`. */
  iterateBatches(query?: ListQuery, options?: CallOptions): AsyncGenerator<Batch, void, undefined>;
  cancelBatch(batchId: string, options?: CallOptions): Promise<{ batchId: string }>;
  getBalances(options?: CallOptions): Promise<BalancesByPointType>;
  /** The batch once it is FINALIZED; rejects with `BatchCancelled` or `BatchOverdue` when it will not be, or not soon. */
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

  function submit(batch: NewBatch, options?: SubmitOptions & { dryRun?: false }): Promise<SubmittedBatch>;
  function submit(batch: NewBatch, options: SubmitOptions & { dryRun: true }): Promise<DryRun>;
  function submit(batch: NewBatch, options: SubmitOptions & { dryRun?: boolean } = {}) {
    return options.dryRun ? dryRunBatch(ctx, batch, options) : submitBatch(ctx, batch, options);
  }

  return {
    submitBatch: submit,
    dryRunBatch: (batch, more) => dryRunBatch(ctx, batch, more),
    getBatch: (batchId, more) => getBatch(ctx, batchId, more),
    listBatches: (query, more) => listBatches(ctx, query, more),
    iterateBatches: (query, more) => iterateBatches(ctx, query, more),
    cancelBatch: (batchId, more) => cancelBatch(ctx, batchId, more),
    getBalances: (more) => getBalances(ctx, more),
    waitUntilFinalized: (batchId, more) => waitUntilFinalized(ctx, batchId, more),
    signIn: (more) => signIn(ctx, more),
  };
}
