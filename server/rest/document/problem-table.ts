import type { ApiProblemCode, FieldError, Problem } from "@/terms/problems";
import { BATCH_ID, CONTRACT, RECIPIENTS } from "./operation-examples";

const [RECIPIENT] = RECIPIENTS;
const OTHER = "0xD1220A0cf47c7B9Be7A2E6BA89F429762e7b9aDb";

interface Explained {
  when: string;
  remedy: string;
  /** Of a realistic example, with what else it has. */
  detail: string;
  members?: Partial<Problem> & Record<string, unknown>;
}

const ofField = (error: FieldError): Pick<Explained, "detail" | "members"> => ({
  detail: `${[error.pointer, error.reference, error.detail].filter(Boolean).join(" ")}.`,
  members: { errors: [error], errorCount: 1 },
});

/** Of each code what only the document and its pages show. Status and title are in `terms/problems.ts`. */
export const PROBLEM_TABLE: Record<ApiProblemCode, Explained> = {
  validation_failed: {
    when:
      "A parameter or a field is invalid. `errors` lists the first 100 errors with a JSON pointer to each " +
      "(a dry run lists all of them), and `errorCount` is the total. Nothing is stored.",
    remedy: "Fix every entry in `errors` and send the request again.",
    ...ofField({
      pointer: "/transfers/3/points",
      code: "points_below_minimum",
      detail: "must be at least 0.01 PHASE2_POINTS",
    }),
  },
  invalid_json: {
    when: "The body is not a single JSON object in UTF-8, has a duplicate key, or is nested too deeply.",
    remedy: "Send a single JSON object in UTF-8, without duplicate keys.",
    detail: "The body is not a single JSON document in UTF-8.",
  },
  invalid_cursor: {
    when: "`cursor` was not issued by this service.",
    remedy: "Send the cursor exactly as you received it, or start again without one.",
    detail: "The cursor is truncated or was modified.",
  },
  cursor_mismatch: {
    when: "`cursor` is valid, but was issued for different filters, another sort order or another contract.",
    remedy: "Repeat the request with the filters, sort and contract that the cursor was issued for.",
    detail: "The cursor was issued for a different contract, filter or sort.",
  },
  missing_token: {
    when: "The `Authorization` header is missing.",
    remedy: "Send `Authorization: Bearer <token>`.",
    detail: "Send the header `Authorization: Bearer <token>`.",
  },
  invalid_token: {
    when:
      "`Authorization` does not have the form `Bearer <token>`, or the token is unknown: it may be " +
      "truncated, mistyped or from another host.",
    remedy: "Check that the token is complete, or ask the service's staff for a new one.",
    detail: "The access token is malformed or unknown.",
  },
  expired_token: {
    when: "The token is no longer valid: it expired, was revoked, or belongs to a previous operator.",
    remedy: "Ask the service's staff for a new token, or sign in again as the operator.",
    detail: "The access token was revoked.",
  },
  challenge_expired: {
    when:
      "The `Expiration Time` in the challenge's message has passed, or it was already used. " +
      "Each challenge works once.",
    remedy: "Request a new challenge and solve it before the `Expiration Time` in its message.",
    detail: "The challenge has expired or was already used.",
  },
  invalid_signature: {
    when:
      "The signature is not valid for any address, the operator's contract (ERC-1271) refused it, or the " +
      "operator signed a challenge that was requested for another address.",
    remedy: "Sign the challenge's message unchanged and send all bytes of the signature.",
    detail: "The signature is not valid for any address.",
  },
  not_operator: {
    when:
      "The signature is valid, but the signer is not the contract's operator. `signer` has the address. If " +
      "you do not recognize it, the message was changed before it was signed, or the operator is a " +
      "smart-contract wallet that the service cannot ask.",
    remedy:
      "Sign with the key of the contract's operator, " +
      "or ask the service's staff to make the signer the operator.",
    detail:
      `The signature is by ${OTHER}, which is not the operator of the contract ${CONTRACT}. ` +
      "If you do not know that address, the message was changed before it was signed.",
    members: { signer: OTHER },
  },
  wrong_contract: {
    when: "The token is valid, but belongs to a different contract than the one in the path.",
    remedy: "Use an access token of the contract in the path.",
    detail: `The token is only valid for contract ${RECIPIENT}.`,
  },
  missing_scope: {
    when:
      "The token lacks the required scope: `batches:read` to read, `batches:write` to submit, to cancel " +
      "and to manage webhooks, `batches:reverse` to take back.",
    remedy: "Use an access token with the scope named in `detail`.",
    detail: "The token lacks the required scope: batches:write.",
  },
  not_found: {
    when:
      "No operation has this path, or the contract has no such webhook. Paths are case-sensitive. A slash " +
      "at the end is not ignored, and `detail` says so where it is the reason.",
    remedy: "Check the path against the API reference, and the webhook's ID.",
    detail: "This path does not exist.",
  },
  contract_not_found: {
    when: "The contract is not registered with this service.",
    remedy: "Check the address, or ask the service's staff to register the contract.",
    detail: `The contract ${CONTRACT} is not registered.`,
  },
  batch_not_found: {
    when: "The contract has no batch with this ID.",
    remedy: "Check the batch ID and the contract.",
    detail: `The contract has no batch ${BATCH_ID}.`,
  },
  payout_not_found: {
    when: "The contract has no batch that was submitted with this `payoutId`.",
    remedy: "Check the payout's ID and the contract. A payout exists once a batch with its ID is stored.",
    detail: `The contract has no payout ${BATCH_ID}.`,
  },
  receipt_not_found: {
    when: "The batch has no transfer to this address, or it is a reversal.",
    remedy: "Check the recipient's address. A reversal has no root and no receipts.",
    detail: `Batch ${BATCH_ID} has no transfer to ${OTHER}.`,
  },
  snapshot_not_found: {
    when:
      "The contract has no snapshot of this point type that is TAKEN, or none with this ID. A running one " +
      "is in the list of snapshots.",
    remedy: "Take a snapshot, and wait until its status is TAKEN.",
    detail: "The contract has no snapshot of PHASE2_POINTS yet.",
  },
  allocation_not_found: {
    when: "No allocation has this ID, or it is not published.",
    remedy: "Check the ID. The claims of an allocation can be read once it is published.",
    detail: "No allocation 3f1d7a52-6c0e-4b8f-9a57-1e2d3c4b5a69 is published.",
  },
  claim_not_found: {
    when: "The allocation has no claim of this address. It held nothing, too little, or was left out.",
    remedy: "Check the address. Not every holder has a claim: some are below the minimum or left out.",
    detail: `The allocation has no claim of ${OTHER}.`,
  },
  method_not_allowed: {
    when: "The path exists, but does not support this method. The `Allow` header lists the supported ones.",
    remedy: "Use one of the methods in the `Allow` header.",
    detail: "Allowed methods: POST, GET, HEAD, OPTIONS.",
  },
  batch_id_conflict: {
    when:
      "The contract already has a batch with this ID and different content. The body has both digests, and " +
      "`detail` says when only the order of the transfers, a `reference` or `secondsToFinalize` differs. " +
      "Repeating the same content succeeds.",
    remedy: "Compare `detail` with what you sent. Under a new ID, it is another payment.",
    detail: `The ID ${BATCH_ID} is already used by a batch with different content.`,
    members: { storedDigest: "5d41".repeat(16), sentDigest: "a3f0".repeat(16) },
  },
  not_cancellable: {
    when:
      "The batch is already FINALIZING, FINALIZED or CANCELLED. `batchStatus` says which, and `since` says " +
      "since when.",
    remedy: "Only a PENDING batch can be cancelled.",
    detail: "The batch has been FINALIZED since 2026-01-31T13:00:00.412Z.",
    members: { batchStatus: "FINALIZED", since: "2026-01-31T13:00:00.412Z" },
  },
  body_too_large: {
    when: "The body exceeds the size limit. It is rejected before it is parsed.",
    remedy: "Split the batch into smaller ones.",
    detail: "The body is larger than 1048576 bytes.",
  },
  unsupported_media_type: {
    when: "The `Content-Type` is not JSON, or the body is compressed.",
    remedy: "Send `Content-Type: application/json` without `Content-Encoding`.",
    detail: "Send `Content-Type: application/json`, in UTF-8.",
  },
  insufficient_points: {
    when:
      "The contract is prefunded, and the batch needs more points than the contract has available. Nothing " +
      "is stored.",
    remedy: "Ask the service's staff to grant points, or send a smaller batch.",
    detail: "The batch needs 120.5 PHASE2_POINTS, but the contract has only 100 available.",
    members: { available: "100", asked: "120.5" },
  },
  batch_cancelled: {
    when:
      "A `PUT`, a `POST` with `Idempotency-Key`, or a reversal with a `reversalId`, repeats the content of " +
      "a batch that was cancelled. That batch stays cancelled, so nothing would be credited. `since` " +
      "has the time.",
    remedy:
      "Its recipients will not be credited. To pay them, send the batch under a new ID or `Idempotency-Key`.",
    detail:
      `The batch ${BATCH_ID} was cancelled at 2026-01-31T12:20:00.412Z and will not be finalized. ` +
      "Send it again under a new ID.",
    members: { since: "2026-01-31T12:20:00.412Z" },
  },
  idempotency_key_reused: {
    when:
      "The contract already has a batch with this `Idempotency-Key` and different content. The body has " +
      "both digests, and `detail` says when only the order of the transfers or `secondsToFinalize` " +
      "differs. Repeating the same content succeeds. Keys do not expire.",
    remedy: "Send this batch with a new `Idempotency-Key`.",
    detail:
      "The `Idempotency-Key` is already used by the batch 75c3caea-b300-8545-8e91-54ded16f804f " +
      "with different content.",
    members: { storedDigest: "5d41".repeat(16), sentDigest: "a3f0".repeat(16) },
  },
  batch_not_finalized: {
    when:
      "The root, a receipt or a reversal was requested of a batch that is PENDING, FINALIZING or " +
      "CANCELLED. `batchStatus` says which.",
    remedy:
      "Wait until the batch is FINALIZED. " +
      "A CANCELLED batch has no root, no receipts and nothing to take back.",
    detail: "The batch is PENDING. Only a FINALIZED batch has a root and receipts.",
    members: { batchStatus: "PENDING" },
  },
  already_reversed: {
    when:
      "Another reversal has taken back some of the transfers, or will. `reversed` lists each recipient " +
      "with the ID, status and due time of that reversal.",
    remedy:
      "Leave out the transfers in `reversed`, or cancel their reversal while it is PENDING. " +
      "A transfer can be taken back once.",
    detail: `Already taken back, or about to be: ${RECIPIENT} (by ${BATCH_ID}-back, PENDING).`,
    members: {
      reversed: [
        {
          toAddress: RECIPIENT,
          batchId: `${BATCH_ID}-back`,
          batchStatus: "PENDING",
          finalizeAt: "2026-02-01T12:00:00.000Z",
        },
      ],
    },
  },
  recipients_short: {
    when:
      "Some recipients are contracts that have already spent the points. `recipients` lists each with the " +
      "points it has available and the points to take back. Nothing was stored.",
    remedy: "Leave out the recipients in `recipients`, or wait until they have enough points available.",
    detail: `Recipients have too few points available: ${RECIPIENT} has 2 of 10.5 PHASE2_POINTS.`,
    members: { recipients: [{ toAddress: RECIPIENT, available: "2", needed: "10.5" }] },
  },
  reference_already_paid: {
    when:
      "Another batch of the contract pays some of the references, and is neither cancelled nor taken back. " +
      "`errors` lists each row with that batch, its status and the position in it. Nothing is stored.",
    remedy:
      "Leave out the transfers in `errors`, or cancel or take back those that they name. " +
      "A contract pays a reference once.",
    ...ofField({
      pointer: "/transfers/3/reference",
      code: "reference_already_paid",
      detail: `is already paid by /transfers/0 of the batch ${BATCH_ID}, which is FINALIZED`,
      reference: "season-3:wallet-77",
      batchId: BATCH_ID,
      batchStatus: "FINALIZED",
      position: 0,
    }),
  },
  ledger_not_in_balance: {
    when:
      "The service's last check of all balances found a difference, of which its staff are notified. Until " +
      "a check finds none, no snapshot is taken.",
    remedy: "Ask the service's staff. Retry once a self-check has found no difference.",
    detail: "The last self-check found a difference in the ledger, so holdings cannot be frozen.",
  },
  rate_limited: {
    when:
      "The token has used up its requests for this minute. Sign-ins, failed sign-ins, requests for claims " +
      "and the public books, and requests with unknown, expired or revoked tokens are limited per client " +
      "IP address. The `RateLimit` header has the remaining requests and the time until the reset.",
    remedy: "Wait the number of seconds in `Retry-After`, then retry.",
    detail: "Rate limit exceeded: 600 requests per 60 seconds. Retry in 17 seconds.",
  },
  internal_error: {
    when: "The service failed. The error is logged under the request ID, without any of the data you sent.",
    remedy:
      "Check the list before you repeat a POST without `Idempotency-Key`; repeat other requests. " +
      "If the error persists, report the request ID.",
    detail: "An internal error occurred. Details are logged under the request ID.",
  },
  unavailable: {
    when:
      "The service cannot reach its database, waits for a migration or is shutting down, or a statement " +
      "took too long. The request was not applied, or it is safe to repeat, such as a `PUT`, or a `POST` " +
      "with its `Idempotency-Key`.",
    remedy:
      "Wait the number of seconds in `Retry-After`, then retry. " +
      "The request was not applied, or is safe to repeat.",
    detail: "The database is down or too busy. The request was not applied.",
  },
  outcome_unknown: {
    when:
      "The database got a `POST` that is not safe to repeat, and did not answer in time. It may or may not " +
      "have been applied. There is no `Retry-After`, so that no library repeats it by itself. Batches " +
      "submitted with `PUT`, or with `POST` and an `Idempotency-Key`, never get it.",
    remedy: "Wait as long as `detail` says, then check whether it was applied before you send it again.",
    detail:
      "The database did not answer in time. The request may or may not have been applied. " +
      "Wait 9 seconds before you check.",
  },
};
