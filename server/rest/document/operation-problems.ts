import { PROBLEMS, type ProblemCode } from "../../kernel/values/problems";

/** The codes that `/v1` returns: all except the console's own. */
export type ApiProblemCode = Exclude<ProblemCode, "not_allowed" | "query_timeout">;
export const API_PROBLEM_CODES = Object.keys(PROBLEMS).filter(
  (code): code is ApiProblemCode => code !== "not_allowed" && code !== "query_timeout",
);

const ALWAYS = ["validation_failed", "rate_limited", "internal_error", "unavailable"] as const;
const WITH_TOKEN = [
  ...ALWAYS,
  "missing_token",
  "invalid_token",
  "expired_token",
  "wrong_contract",
  "missing_scope",
  "contract_not_found",
] as const;
const WITH_BODY = ["invalid_json", "body_too_large", "unsupported_media_type"] as const;

/**
 * The errors of each operation, apart from 404 and 405 for unknown paths and methods. The document declares them, and
 * the contract tests check that each operation returns all of these statuses and no others.
 */
export const OPERATION_PROBLEMS: Record<string, readonly ApiProblemCode[]> = {
  "batches-submit": [...WITH_TOKEN, ...WITH_BODY, "insufficient_points"],
  "batches-submitIdempotently": [
    ...WITH_TOKEN,
    ...WITH_BODY,
    "insufficient_points",
    "batch_id_conflict",
    "batch_cancelled",
  ],
  "batches-reverse": [
    ...WITH_TOKEN,
    ...WITH_BODY,
    "batch_not_found",
    "batch_not_finalized",
    "already_reversed",
    "recipients_short",
    "batch_id_conflict",
    "batch_cancelled",
  ],
  "batches-list": [...WITH_TOKEN, "invalid_cursor", "cursor_mismatch"],
  "batches-get": [...WITH_TOKEN, "batch_not_found"],
  "batches-cancel": [...WITH_TOKEN, "batch_not_found", "not_cancellable"],
  "receipts-root": [...WITH_TOKEN, "batch_not_found", "receipt_not_found", "batch_not_finalized"],
  "receipts-get": [...WITH_TOKEN, "batch_not_found", "receipt_not_found", "batch_not_finalized"],
  "balances-get": WITH_TOKEN,
  "statements-get": WITH_TOKEN,
  "forecast-get": WITH_TOKEN,
  "webhooks-list": WITH_TOKEN,
  "webhooks-create": [...WITH_TOKEN, ...WITH_BODY],
  "webhooks-delete": [...WITH_TOKEN, "not_found"],
  "webhooks-rotateSecret": [...WITH_TOKEN, ...WITH_BODY, "not_found"],
  "webhooks-test": [...WITH_TOKEN, "not_found"],
  "books-get": ALWAYS,
  "books-chain": ALWAYS,
  "operators-challenge": [...ALWAYS, ...WITH_BODY, "contract_not_found"],
  "operators-solve": [
    ...ALWAYS,
    ...WITH_BODY,
    "challenge_expired",
    "contract_not_found",
    "invalid_signature",
    "not_operator",
  ],
};
