import type { OpenApi } from "@/app/docs/document";
import { PROBLEMS } from "@/server/kernel/values/problems";
import { openApiText } from "@/server/rest/document/openapi-document";
import {
  API_PROBLEM_CODES,
  type ApiProblemCode,
  exampleProblem,
} from "@/server/rest/document/problem-schema";

/** The document served at `/v1/openapi.json`, with this host's limits. */
export function readDocument(): OpenApi {
  return JSON.parse(openApiText()) as OpenApi;
}

/** Every problem of `/v1`, sorted by status. */
export function readErrors() {
  return API_PROBLEM_CODES.map((code) => ({
    ...PROBLEMS[code],
    code,
    when: WHEN[code],
    /** A complete body. */
    example: JSON.stringify(exampleProblem(code), null, 2),
  })).sort((a, b) => a.status - b.status);
}

export type ErrorView = ReturnType<typeof readErrors>[number];

const WHEN = {
  validation_failed:
    "A parameter or a field is invalid. `errors` lists the first 100 errors with a JSON pointer to each (a dry run lists all of them), and `errorCount` is the total. Nothing is stored.",
  invalid_json:
    "The body is not a single JSON object in UTF-8, has a duplicate key, or is nested too deeply.",
  invalid_cursor: "`cursor` was not issued by this service.",
  cursor_mismatch:
    "`cursor` is valid, but was issued for different filters, another sort order or another contract.",
  missing_token: "The `Authorization` header is missing.",
  invalid_token:
    "`Authorization` does not have the form `Bearer <token>`, or the token is unknown: it may be truncated, mistyped or from another host.",
  expired_token: "The token is no longer valid: it expired, was revoked, or belongs to a previous operator.",
  challenge_expired:
    "The challenge is older than 60 seconds, or was already used. Each challenge works once.",
  invalid_signature:
    "The signature is not valid for any address, or the operator signed a challenge that was requested for another address.",
  not_operator:
    "The signature is valid, but the signer is not the contract's operator. `signer` has the address. If you do not recognize it, the message was changed before it was signed.",
  wrong_contract: "The token is valid, but belongs to a different contract than the one in the path.",
  missing_scope:
    "The token lacks the required scope: `batches:read` to read, `batches:write` to submit, to cancel and to manage webhooks, `batches:reverse` to take back.",
  not_found:
    "No operation has this path, or the contract has no such webhook. Paths are case-sensitive, and a trailing slash matters.",
  contract_not_found: "The contract is not registered with this service.",
  batch_not_found: "The contract has no batch with this ID.",
  receipt_not_found: "The batch has no transfer to this address, or it is a reversal.",
  method_not_allowed:
    "The path exists, but does not support this method. The `Allow` header lists the supported ones.",
  batch_id_conflict:
    "The contract already has a batch with this ID and different content. The body has both digests, and `detail` says when only the order of the transfers or `secondsToFinalize` differs. Repeating the same content succeeds.",
  not_cancellable:
    "The batch is already FINALIZING, FINALIZED or CANCELLED. `batchStatus` says which, and `since` says since when.",
  body_too_large: "The body exceeds the size limit. It is rejected before it is parsed.",
  unsupported_media_type: "The `Content-Type` is not JSON, or the body is compressed.",
  insufficient_points:
    "The contract is prefunded, and the batch needs more points than the contract has available. Nothing is stored.",
  batch_cancelled:
    "A `PUT`, or a reversal with a `reversalId`, repeats the content of a batch that was cancelled. That batch stays cancelled, so nothing would be credited. `since` has the time.",
  batch_not_finalized:
    "The root, a receipt or a reversal was requested of a batch that is PENDING, FINALIZING or CANCELLED. `batchStatus` says which.",
  already_reversed:
    "Another reversal has taken back some of the transfers, or will. `reversed` lists each recipient with the ID, status and due time of that reversal.",
  recipients_short:
    "Some recipients are contracts that have already spent the points. `recipients` lists each with the points it has available and the points to take back. Nothing was stored.",
  rate_limited:
    "The token has used up its requests for this minute. Sign-ins, failed sign-ins, requests for the public books, and requests with unknown, expired or revoked tokens are limited per client IP address. The `RateLimit` header has the remaining requests and the time until the reset.",
  internal_error:
    "The service failed. The error is logged under the request ID, without any of the data you sent.",
  unavailable:
    "The service cannot reach its database, waits for a migration or is shutting down, or a statement or forecast took too long. A submit may or may not have been stored. Repeating a `PUT` is safe.",
} satisfies Record<ApiProblemCode, string>;
