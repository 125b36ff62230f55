import type { BatchStatus } from "./batch-terms";

/** What `/v1` returns. When it happens and what to do is in `server/rest/document/problem-table.ts`. */
const API_PROBLEMS = {
  validation_failed: { status: 400, title: "Invalid request" },
  invalid_json: { status: 400, title: "Invalid JSON" },
  invalid_cursor: { status: 400, title: "Invalid cursor" },
  cursor_mismatch: { status: 400, title: "Cursor does not match the request" },
  missing_token: { status: 401, title: "Missing access token" },
  invalid_token: { status: 401, title: "Invalid access token" },
  expired_token: { status: 401, title: "Access token expired or revoked" },
  challenge_expired: { status: 401, title: "Challenge expired" },
  invalid_signature: { status: 401, title: "Invalid signature" },
  not_operator: { status: 403, title: "Not the contract's operator" },
  wrong_contract: { status: 403, title: "Wrong contract" },
  missing_scope: { status: 403, title: "Missing scope" },
  not_found: { status: 404, title: "Not found" },
  contract_not_found: { status: 404, title: "Contract not found" },
  batch_not_found: { status: 404, title: "Batch not found" },
  payout_not_found: { status: 404, title: "Payout not found" },
  receipt_not_found: { status: 404, title: "Receipt not found" },
  snapshot_not_found: { status: 404, title: "Snapshot not found" },
  allocation_not_found: { status: 404, title: "Allocation not found" },
  claim_not_found: { status: 404, title: "Claim not found" },
  method_not_allowed: { status: 405, title: "Method not allowed" },
  batch_id_conflict: { status: 409, title: "Batch ID already in use" },
  not_cancellable: { status: 409, title: "Batch cannot be cancelled" },
  body_too_large: { status: 413, title: "Request body too large" },
  unsupported_media_type: { status: 415, title: "Unsupported media type" },
  insufficient_points: { status: 422, title: "Not enough points" },
  batch_cancelled: { status: 422, title: "Batch was cancelled" },
  idempotency_key_reused: { status: 422, title: "Idempotency-Key already in use" },
  batch_not_finalized: { status: 422, title: "Batch is not finalized" },
  already_reversed: { status: 422, title: "Already in a reversal" },
  recipients_short: { status: 422, title: "Recipients have too few points" },
  reference_already_paid: { status: 422, title: "Reference already paid" },
  ledger_not_in_balance: { status: 422, title: "Ledger not in balance" },
  rate_limited: { status: 429, title: "Rate limit exceeded" },
  internal_error: { status: 500, title: "Internal error" },
  unavailable: { status: 503, title: "Service unavailable" },
  outcome_unknown: { status: 504, title: "Outcome unknown" },
} as const;

/** The closed list of errors (docs/api.md, "When something goes wrong"). Only two codes may use 409. */
export const PROBLEMS = {
  ...API_PROBLEMS,
  // The console's own.
  not_allowed: { status: 403, title: "Not allowed" },
  query_timeout: { status: 503, title: "Query took too long" },
} as const satisfies Record<string, { status: number; title: string }>;

export type ProblemCode = keyof typeof PROBLEMS;
export type ApiProblemCode = keyof typeof API_PROBLEMS;
export const API_PROBLEM_CODES = Object.keys(API_PROBLEMS) as ApiProblemCode[];

/** Codes of the entries in `errors`. */
export const FIELD_CODES = {
  required: "The field is missing.",
  invalid_type: "The field has the wrong JSON type.",
  unknown_field: "The operation has no such field.",
  invalid_value: "The value is not allowed.",
  out_of_range: "The number, length or count is out of range.",
  invalid_address: "The address is not `0x` followed by 40 hex digits.",
  invalid_checksum: "The address fails its EIP-55 checksum. A digit may be wrong.",
  invalid_points: "The amount is not a decimal string with up to 26 digits before the point and 12 after it.",
  points_below_minimum: "The amount is below the minimum transfer of its point type.",
  duplicate_destination: "Another transfer in the batch has the same destination.",
  duplicate_reference: "Another transfer in the batch has the same reference.",
  reference_already_paid: "Another batch of the contract has a transfer with the same reference.",
  destination_is_contract: "A contract cannot send points to itself.",
  destination_is_zero: "The zero address cannot receive points.",
  invalid_batch_id:
    "The ID is not 1 to 64 characters from A-Z a-z 0-9 . _ : ~ -, or it is just one or two dots.",
  invalid_timestamp: "The value is neither a date nor an ISO 8601 date-time with `Z` or an offset.",
} as const;

export type FieldCode = keyof typeof FIELD_CODES;

export interface FieldError {
  /** JSON pointer into the body, `/name` of a known parameter, or `?name` of an unknown query parameter. */
  pointer: string;
  code: FieldCode;
  detail: string;
  /** Of `reference_already_paid`: the reference, and the transfer that pays it. */
  reference?: string;
  batchId?: string;
  batchStatus?: BatchStatus;
  position?: number;
}

/** `errors` is cut off here; `errorCount` has the total. */
export const FIELD_ERRORS_MAX = 100;

interface DomainErrorOptions {
  errors?: FieldError[];
  /** Total number of errors, when `errors` does not have them all. */
  errorCount?: number;
  headers?: Record<string, string>;
  /** Extra members of the problem, such as both digests of a conflict. */
  extra?: Record<string, unknown>;
  cause?: unknown;
}

/** An expected failure. Callers see its message, so it never contains a driver's or parser's text. */
export class DomainError extends Error {
  override name = "DomainError";
  readonly code: ProblemCode;
  readonly options: DomainErrorOptions;

  constructor(code: ProblemCode, detail: string, options: DomainErrorOptions = {}) {
    super(detail, { cause: options.cause });
    this.code = code;
    this.options = options;
  }
}

export interface Problem {
  success: false;
  type: string;
  title: string;
  status: number;
  detail: string;
  code: ProblemCode;
  /** The request in the console. */
  instance: string;
  requestId: string;
  errors?: FieldError[];
  errorCount?: number;
}

/** The RFC 9457 body of an error, with the first `errorsMax` field errors. */
export function toProblem(error: DomainError, requestId: string, errorsMax = FIELD_ERRORS_MAX): Problem {
  const { status, title } = PROBLEMS[error.code];
  const { errors, errorCount, extra } = error.options;
  return {
    success: false,
    type: `/docs/errors#${error.code}`,
    title,
    status,
    detail: error.message,
    code: error.code,
    instance: `/requests/${encodeURIComponent(requestId)}`,
    requestId,
    ...extra,
    ...(errors && { errors: errors.slice(0, errorsMax), errorCount: errorCount ?? errors.length }),
  };
}
