import type { BatchStatus } from "./batch-terms";

/**
 * The closed list of errors: status, title, and how to fix it (docs/api.md, "When something goes wrong"). The
 * docs page and the OpenAPI document are generated from it. Only two codes may use 409.
 */
export const PROBLEMS = {
  validation_failed: {
    status: 400,
    title: "Invalid request",
    remedy: "Fix every entry in `errors` and send the request again.",
  },
  invalid_json: {
    status: 400,
    title: "Invalid JSON",
    remedy: "Send a single JSON object in UTF-8, without duplicate keys.",
  },
  invalid_cursor: {
    status: 400,
    title: "Invalid cursor",
    remedy: "Send the cursor exactly as you received it, or start again without one.",
  },
  cursor_mismatch: {
    status: 400,
    title: "Cursor does not match the request",
    remedy: "Repeat the request with the filters, sort and contract that the cursor was issued for.",
  },
  missing_token: {
    status: 401,
    title: "Missing access token",
    remedy: "Send `Authorization: Bearer <token>`.",
  },
  invalid_token: {
    status: 401,
    title: "Invalid access token",
    remedy: "Check that the token is complete, or ask the service's staff for a new one.",
  },
  expired_token: {
    status: 401,
    title: "Access token expired or revoked",
    remedy: "Ask the service's staff for a new token, or sign in again as the operator.",
  },
  challenge_expired: {
    status: 401,
    title: "Challenge expired",
    remedy: "Request a new challenge and solve it before the `Expiration Time` in its message.",
  },
  invalid_signature: {
    status: 401,
    title: "Invalid signature",
    remedy: "Sign the challenge's message unchanged and send all bytes of the signature.",
  },
  not_operator: {
    status: 403,
    title: "Not the contract's operator",
    remedy:
      "Sign with the key of the contract's operator, " +
      "or ask the service's staff to make the signer the operator.",
  },
  wrong_contract: {
    status: 403,
    title: "Wrong contract",
    remedy: "Use an access token of the contract in the path.",
  },
  missing_scope: {
    status: 403,
    title: "Missing scope",
    remedy: "Use an access token with the scope named in `detail`.",
  },
  not_allowed: {
    status: 403,
    title: "Not allowed",
    remedy: "Ask an admin for a role that allows this.",
  },
  not_found: {
    status: 404,
    title: "Not found",
    remedy: "Check the path against the API reference, and the webhook's ID.",
  },
  contract_not_found: {
    status: 404,
    title: "Contract not found",
    remedy: "Check the address, or ask the service's staff to register the contract.",
  },
  batch_not_found: { status: 404, title: "Batch not found", remedy: "Check the batch ID and the contract." },
  payout_not_found: {
    status: 404,
    title: "Payout not found",
    remedy: "Check the payout's ID and the contract. A payout exists once a batch with its ID is stored.",
  },
  receipt_not_found: {
    status: 404,
    title: "Receipt not found",
    remedy: "Check the recipient's address. A reversal has no root and no receipts.",
  },
  snapshot_not_found: {
    status: 404,
    title: "Snapshot not found",
    remedy: "Take a snapshot, and wait until its status is TAKEN.",
  },
  allocation_not_found: {
    status: 404,
    title: "Allocation not found",
    remedy: "Check the ID. The claims of an allocation can be read once it is published.",
  },
  claim_not_found: {
    status: 404,
    title: "Claim not found",
    remedy: "Check the address. Not every holder has a claim: some are below the minimum or left out.",
  },
  method_not_allowed: {
    status: 405,
    title: "Method not allowed",
    remedy: "Use one of the methods in the `Allow` header.",
  },
  batch_id_conflict: {
    status: 409,
    title: "Batch ID already in use",
    remedy: "Compare `detail` with what you sent. Under a new ID, it is another payment.",
  },
  not_cancellable: {
    status: 409,
    title: "Batch cannot be cancelled",
    remedy: "Only a PENDING batch can be cancelled.",
  },
  body_too_large: {
    status: 413,
    title: "Request body too large",
    remedy: "Split the batch into smaller ones.",
  },
  unsupported_media_type: {
    status: 415,
    title: "Unsupported media type",
    remedy: "Send `Content-Type: application/json` without `Content-Encoding`.",
  },
  insufficient_points: {
    status: 422,
    title: "Not enough points",
    remedy: "Ask the service's staff to grant points, or send a smaller batch.",
  },
  batch_cancelled: {
    status: 422,
    title: "Batch was cancelled",
    remedy:
      "Its recipients will not be credited. To pay them, send the batch under a new ID or `Idempotency-Key`.",
  },
  idempotency_key_reused: {
    status: 422,
    title: "Idempotency-Key already in use",
    remedy: "Send this batch with a new `Idempotency-Key`.",
  },
  batch_not_finalized: {
    status: 422,
    title: "Batch is not finalized",
    remedy:
      "Wait until the batch is FINALIZED. " +
      "A CANCELLED batch has no root, no receipts and nothing to take back.",
  },
  already_reversed: {
    status: 422,
    title: "Already in a reversal",
    remedy:
      "Leave out the transfers in `reversed`, or cancel their reversal while it is PENDING. " +
      "A transfer can be taken back once.",
  },
  recipients_short: {
    status: 422,
    title: "Recipients have too few points",
    remedy: "Leave out the recipients in `recipients`, or wait until they have enough points available.",
  },
  reference_already_paid: {
    status: 422,
    title: "Reference already paid",
    remedy:
      "Leave out the transfers in `errors`, or cancel or take back those that they name. " +
      "A contract pays a reference once.",
  },
  ledger_not_in_balance: {
    status: 422,
    title: "Ledger not in balance",
    remedy: "Ask the service's staff. Retry once a self-check has found no difference.",
  },
  rate_limited: {
    status: 429,
    title: "Rate limit exceeded",
    remedy: "Wait the number of seconds in `Retry-After`, then retry.",
  },
  internal_error: {
    status: 500,
    title: "Internal error",
    remedy:
      "Check the list before you repeat a POST without `Idempotency-Key`; repeat other requests. " +
      "If the error persists, report the request ID.",
  },
  query_timeout: {
    status: 503,
    title: "Query took too long",
    remedy: "Narrow the filters, for example to one contract or a shorter period, then try again.",
  },
  unavailable: {
    status: 503,
    title: "Service unavailable",
    remedy:
      "Wait the number of seconds in `Retry-After`, then retry. " +
      "The request was not applied, or is safe to repeat.",
  },
  outcome_unknown: {
    status: 504,
    title: "Outcome unknown",
    remedy: "Wait as long as `detail` says, then check whether it was applied before you send it again.",
  },
} as const satisfies Record<string, { status: number; title: string; remedy: string }>;

export type ProblemCode = keyof typeof PROBLEMS;

/** The codes that `/v1` returns: all except the console's own. */
export type ApiProblemCode = Exclude<ProblemCode, "not_allowed" | "query_timeout">;
export const API_PROBLEM_CODES = Object.keys(PROBLEMS).filter(
  (code): code is ApiProblemCode => code !== "not_allowed" && code !== "query_timeout",
);

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
