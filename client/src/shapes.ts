import type { components, paths } from "./api-types.ts";

type Schemas = components["schemas"];
type Batches = paths["/v1/contracts/{contractAddress}/batches"];
type Reversal = paths["/v1/contracts/{contractAddress}/batches/{batchId}/reversal"];
type Snapshots = paths["/v1/contracts/{contractAddress}/snapshots"];
type Json = "application/json";

/** A batch to submit. Amounts are decimal strings, never numbers. */
export type NewBatch = Batches["post"]["requestBody"]["content"][Json];
export type Transfer = Schemas["Transfer"];
/** `replayed`: it was already stored, by an earlier call or an earlier attempt of this one. */
export type SubmittedBatch = Schemas["Submitted"];
/** What a submit would do, with the balance before and after it. */
export type DryRun = Schemas["DryRun"];

/** What to take back of a batch, and when. */
export type NewReversal = Reversal["post"]["requestBody"]["content"][Json];
/** What a reversal would do. */
export type ReversalDryRun = Schemas["ReversalDryRun"];

/** A batch in a list, without its transfers. */
export type Batch = Schemas["Batch"];
/** One batch with its digest and its transfers, in the order sent. */
export type BatchWithTransfers = Schemas["BatchWithTransfers"];
export type BatchStatus = Batch["status"];
export type PointType = Batch["pointType"];
/** Filters, order and page of a list. */
export type ListQuery = NonNullable<Batches["get"]["parameters"]["query"]>;

/** All batches with one `payoutId` together. */
export type Payout = Schemas["Payout"];
/** How many batches were cancelled and how many are still PENDING, and the counts of all afterwards. */
export type CancelledPayout = Omit<Schemas["CancelledPayout"], "success" | "detail">;

/** A transfer with a reference that was asked for. */
export type Payment = Schemas["PaymentOfReference"];

export type Balances = Schemas["Balances"];
export type BalancesByPointType = Schemas["PointBalances"]["balancesByPointType"];

/** The proof that a finalized batch has a transfer. */
export type Receipt = Schemas["Receipt"];
/** The Merkle root of a finalized batch and the number of its leaves, without `success`. */
export type BatchRoot = Omit<Schemas["BatchRoot"], "success">;

/** What a contract held, got and sent in a month, in one point type. */
export type Statement = Schemas["Statement"];
/** A contract's statements of a month, without `success`. */
export type MonthOfStatements = Omit<Schemas["MonthOfStatements"], "success">;

/** The totals of all points, and the last self-check. */
export type Books = Schemas["Books"];

export type NewSnapshot = Snapshots["post"]["requestBody"]["content"][Json];
/** What a contract's recipients hold of its points, frozen at an instant. */
export type Snapshot = Schemas["Snapshot"];
/** A recipient and what it holds. */
export type Holder = Schemas["Holder"];
/** A page of holders with its snapshot, without `success`. */
export type HolderPage = Omit<Schemas["HolderPage"], "success">;
/** Snapshot and page of a list of holders. */
export type HoldersQuery = NonNullable<
  paths["/v1/contracts/{contractAddress}/holders"]["get"]["parameters"]["query"]
>;

/** What an address gets by a published allocation, with its proof. Amounts are base units of the token. */
export type Claim = Schemas["Claim"];

export type Problem = Schemas["Problem"];
/** The closed list of error codes. */
export type ProblemCode = Problem["code"];
export type FieldError = Schemas["FieldError"];
