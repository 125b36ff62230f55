/**
 * The closed list of problems a caller can meet: status, title, and what the caller can do (docs/api.md, "When something
 * goes wrong"). The docs page and the OpenAPI document are made from it. Nothing but the two named here may be 409.
 */
export const PROBLEMS = {
  validation_failed: {
    status: 400,
    title: "The request is not valid",
    remedy: "Mend every entry of `errors` and send it again.",
  },
  invalid_json: {
    status: 400,
    title: "The body is not valid JSON",
    remedy: "Send one UTF-8 JSON object without duplicate keys.",
  },
  invalid_cursor: {
    status: 400,
    title: "The cursor cannot be read",
    remedy: "Send the cursor exactly as it was given, or start again without one.",
  },
  cursor_mismatch: {
    status: 400,
    title: "The cursor belongs to another list",
    remedy: "Repeat the filters, sort and contract of the reply that gave the cursor.",
  },
  missing_token: { status: 401, title: "No access token", remedy: "Send `Authorization: Bearer <token>`." },
  invalid_token: {
    status: 401,
    title: "The access token is not known",
    remedy: "Check the token for lost characters, or ask for a new one.",
  },
  expired_token: {
    status: 401,
    title: "The access token has ended",
    remedy: "Ask for a new token: this one expired or was revoked.",
  },
  challenge_expired: {
    status: 401,
    title: "The challenge has ended",
    remedy: "Ask for a new challenge and solve it within 60 seconds.",
  },
  invalid_signature: {
    status: 401,
    title: "The signature does not fit",
    remedy: "Sign the message of the challenge with the operator's key.",
  },
  wrong_contract: {
    status: 403,
    title: "The token is for another contract",
    remedy: "Use a token of this contract.",
  },
  missing_scope: {
    status: 403,
    title: "The token lacks a scope",
    remedy: "Use a token that has the scope named in `detail`.",
  },
  not_allowed: {
    status: 403,
    title: "Your role does not allow this",
    remedy: "Ask an admin for a role that does.",
  },
  not_found: { status: 404, title: "No such address", remedy: "Check the path against the API reference." },
  contract_not_found: {
    status: 404,
    title: "The contract is not registered",
    remedy: "Have staff register the contract.",
  },
  batch_not_found: { status: 404, title: "No such batch", remedy: "Check the batch id and the contract." },
  method_not_allowed: {
    status: 405,
    title: "The method is not allowed here",
    remedy: "Use a method that `Allow` names.",
  },
  batch_id_conflict: {
    status: 409,
    title: "The batch id holds another batch",
    remedy: "Send this batch under a new id.",
  },
  not_cancellable: {
    status: 409,
    title: "The batch can no longer be cancelled",
    remedy: "Only a PENDING batch can be cancelled.",
  },
  body_too_large: { status: 413, title: "The body is too large", remedy: "Split the batch." },
  unsupported_media_type: {
    status: 415,
    title: "The media type is not supported",
    remedy: "Send `Content-Type: application/json`, without Content-Encoding.",
  },
  insufficient_points: {
    status: 422,
    title: "Not enough points",
    remedy: "Have staff grant points, or send a smaller batch.",
  },
  rate_limited: { status: 429, title: "Too many requests", remedy: "Wait as long as `Retry-After` says." },
  internal_error: {
    status: 500,
    title: "Something failed here",
    remedy: "Try again; if it stays, report the request id.",
  },
  unavailable: {
    status: 503,
    title: "The service is away for a moment",
    remedy: "Try again after `Retry-After` seconds.",
  },
} as const satisfies Record<string, { status: number; title: string; remedy: string }>;

export type ProblemCode = keyof typeof PROBLEMS;

/** Codes of single entries in `errors`. */
export const FIELD_CODES = {
  required: "The field is missing.",
  invalid_type: "The field has another JSON type than the document says.",
  unknown_field: "The document has no such field.",
  invalid_value: "The value is not one of those allowed.",
  out_of_range: "The number, length or count is outside its bounds.",
  invalid_address: "Not 0x and 40 hex digits.",
  invalid_checksum: "The letter case breaks the EIP-55 checksum: a digit may be wrong.",
  invalid_points: "Not a plain decimal string with at most 26 digits before the point and 12 after.",
  points_below_minimum: "The amount is below the least transfer of its point type.",
  duplicate_destination: "Another row of the batch has the same destination.",
  destination_is_contract: "A contract cannot send to itself.",
  destination_is_zero: "The zero address cannot receive.",
  invalid_batch_id: "Not 1 to 64 of A-Z a-z 0-9 . _ : ~ -.",
  invalid_timestamp: "Not an ISO 8601 date-time with Z or an offset, nor a plain date.",
} as const;

export type FieldCode = keyof typeof FIELD_CODES;

export interface FieldError {
  /** JSON pointer into the input, where path and query parameters stand by name; `?name` for a query parameter that does not fit at all. */
  pointer: string;
  code: FieldCode;
  detail: string;
}

/** Most entries of `errors` in one problem; `errorCount` says how many there are. */
export const FIELD_ERRORS_MAX = 100;

interface DomainErrorOptions {
  errors?: FieldError[];
  /** How many faults there are, where `errors` does not hold them all. */
  errorCount?: number;
  headers?: Record<string, string>;
  /** Further members of the problem, such as both digests of a conflict. */
  extra?: Record<string, unknown>;
  cause?: unknown;
}

/** An expected outcome that is not success. Its words are for callers: never a driver's or a parser's. */
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
  requestId: string;
  errors?: FieldError[];
  errorCount?: number;
}

/** The RFC 9457 body of an error, with the first `errorsMax` faults of fields. */
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
    requestId,
    ...extra,
    ...(errors && { errors: errors.slice(0, errorsMax), errorCount: errorCount ?? errors.length }),
  };
}
