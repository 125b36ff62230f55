// The entry of the published package; files inside the package import each other directly.
export {
  ApiProblem,
  ClientError,
  ConnectionFailure,
  InvalidArgument,
  type ProblemExtra,
  SigningFailed,
  TokenUnavailable,
  UnexpectedReply,
} from "./client-error.ts";
export { type Client, type ClientOptions, createClient } from "./create-client.ts";
export { batchDigest, canonicalBatchText, verifyDigest } from "./digest.ts";
export { type OperatorTokenOptions, operatorToken } from "./operator-token.ts";
export type { CancelPayoutOptions } from "./payouts.ts";
export type { BatchPage } from "./read-contract.ts";
export type * from "./shapes.ts";
export type { OperatorSession, SignInOptions, SignMessage } from "./sign-in.ts";
export {
  type PartState,
  type PayoutFunds,
  type PayoutPart,
  type PlanOptions,
  planPayout,
  type SubmitAllOptions,
} from "./submit-all.ts";
export type { SubmitOptions } from "./submit-batch.ts";
export type { TokenRequest, TokenSource } from "./token.ts";
export type { CallOptions, RetryNotice } from "./transport.ts";
export { BatchCancelled, BatchOverdue, type WaitOptions } from "./wait-until-finalized.ts";
