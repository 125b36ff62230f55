import type { components, paths } from "./api-types.ts";

type BatchesPath = paths["/v1/contracts/{contractAddress}/batches"];
type OneBatchPath = paths["/v1/contracts/{contractAddress}/batches/{batchId}"];
type BalancesPath = paths["/v1/contracts/{contractAddress}/point-balances"];
type ChallengePath = paths["/v1/dapp-auth/challenge"];
type SolvePath = paths["/v1/dapp-auth/solve"];

type SentBody<Operation> = Operation extends {
  requestBody: { content: { "application/json": infer Body } };
}
  ? Body
  : never;
type ReplyBody<Operation> = Operation extends {
  responses: { 200: { content: { "application/json": infer Body } } };
}
  ? Body
  : never;

/** A batch to submit. Amounts are decimal strings, never numbers. */
export type NewBatch = Omit<SentBody<BatchesPath["post"]>, "dryRun">;
export type Transfer = components["schemas"]["Transfer"];
/** A batch as the list shows it: without its transfers. */
export type Batch = components["schemas"]["Batch"];
/** One batch with its digest and its transfers, in the order sent. */
export type BatchWithTransfers = ReplyBody<OneBatchPath["get"]>["batch"];
export type BatchStatus = Batch["status"];
export type PointType = Batch["pointType"];
/** Filters, order and page of a list. */
export type ListQuery = NonNullable<BatchesPath["get"]["parameters"]["query"]>;
export type ListReply = ReplyBody<BatchesPath["get"]>;
export type BalancesByPointType = ReplyBody<BalancesPath["get"]>["balancesByPointType"];
export type Balances = components["schemas"]["Balances"];

interface ProblemFallback {
  success: false;
  type: string;
  title: string;
  status: number;
  detail: string;
  code: "not_cancellable" | "expired_token";
  requestId: string;
  errors?: { pointer: string; code: string; detail: string }[];
  errorCount?: number;
}
type Schemas = components["schemas"];
export type Problem = Schemas extends { Problem: infer P } ? P : ProblemFallback;
export type ProblemCode = Problem["code"];
export type FieldError = NonNullable<Problem["errors"]>[number];
export type SubmitReply = Extract<ReplyBody<OneBatchPath["put"]>, { batchId: string }>;
/** What a submit would do, with the balance before and after it. */
export type DryRun = components["schemas"]["DryRun"];
export type ChallengeRequest = SentBody<ChallengePath["post"]>;
export type Challenge = ReplyBody<ChallengePath["post"]>;
export type SolveRequest = SentBody<SolvePath["post"]>;
export type Solution = ReplyBody<SolvePath["post"]>;
