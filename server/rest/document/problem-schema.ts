import type { Operation } from "@/server/rest/routes/route-table";
import { BATCH_STATUSES } from "@/terms/batch-terms";
import {
  API_PROBLEM_CODES,
  type ApiProblemCode,
  DomainError,
  FIELD_CODES,
  FIELD_ERRORS_MAX,
  PROBLEMS,
  type Problem,
  toProblem,
} from "@/terms/problems";
import { PROBLEM_TABLE } from "./problem-table";

const ALWAYS = ["validation_failed", "rate_limited", "internal_error", "unavailable"] as const;
const WITH_TOKEN = [
  "missing_token",
  "invalid_token",
  "expired_token",
  "wrong_contract",
  "missing_scope",
  "contract_not_found",
] as const;
const IF_UNSAFE_TO_REPEAT = ["outcome_unknown"] as const;
const WITH_BODY = ["invalid_json", "body_too_large", "unsupported_media_type"] as const;
const OF_ID = ["batch_id_conflict", "batch_cancelled"] as const;
const OF_FINALIZED = ["batch_not_found", "batch_not_finalized"] as const;
const OF_CURSOR = ["invalid_cursor", "cursor_mismatch"] as const;

const OWN_PROBLEMS: Record<string, readonly ApiProblemCode[]> = {
  "batches-submit": [
    "insufficient_points",
    "idempotency_key_reused",
    "batch_cancelled",
    "reference_already_paid",
  ],
  "batches-submitIdempotently": ["insufficient_points", ...OF_ID, "reference_already_paid"],
  "batches-reverse": [...OF_FINALIZED, "already_reversed", "recipients_short", ...OF_ID],
  "batches-list": OF_CURSOR,
  "batches-get": ["batch_not_found"],
  "batches-cancel": ["batch_not_found", "not_cancellable"],
  "payouts-get": ["payout_not_found"],
  "payouts-cancel": ["payout_not_found"],
  "receipts-root": [...OF_FINALIZED, "receipt_not_found"],
  "receipts-get": [...OF_FINALIZED, "receipt_not_found"],
  "webhooks-delete": ["not_found"],
  "webhooks-rotateSecret": ["not_found"],
  "webhooks-test": ["not_found"],
  "requests-list": OF_CURSOR,
  "snapshots-take": ["ledger_not_in_balance"],
  "snapshots-holders": ["snapshot_not_found", ...OF_CURSOR],
  "allocations-claim": ["allocation_not_found", "claim_not_found"],
  // When they are switched off.
  "books-get": ["not_found"],
  "operators-challenge": ["contract_not_found"],
  "operators-solve": ["challenge_expired", "contract_not_found", "invalid_signature", "not_operator"],
};

/** Apart from 404 and 405 of unknown paths and methods. Contract tests expect exactly these statuses. */
export const problemsOf = (id: string, { isOpen, takesBody, repeats }: Operation): ApiProblemCode[] => [
  ...ALWAYS,
  ...(isOpen ? [] : WITH_TOKEN),
  ...(takesBody ? WITH_BODY : []),
  ...(repeats === "always" ? [] : IF_UNSAFE_TO_REPEAT),
  ...(OWN_PROBLEMS[id] ?? []),
];

const text = (description: string, maxLength: number, pattern = "^[^\\x00-\\x1f]*$") => ({
  type: "string",
  description,
  maxLength,
  pattern,
});
const amount = (description: string) => text(description, 69, "^(0|[1-9][0-9]*)(\\.[0-9]{1,12})?$");
const digest = (description: string) => text(description, 64, "^[0-9a-f]{64}$");
const address = (description: string) => text(description, 42, "^0x[0-9a-fA-F]{40}$");
const int = (minimum: number, maximum: number, description: string) => ({
  type: "integer",
  minimum,
  maximum,
  description,
});
const instant = (description: string) => ({ type: "string", format: "date-time", description });
const oneOf = (codes: readonly string[], description: string) => ({
  type: "string",
  enum: [...codes],
  description,
});
/** A list of objects that have all of these properties. */
const listOf = (description: string, properties: Record<string, object>) => ({
  type: "array",
  maxItems: 10_000,
  description,
  items: { type: "object", required: Object.keys(properties), additionalProperties: false, properties },
});
const lines = (entries: [string, string][]) =>
  entries.map(([code, words]) => `- \`${code}\`: ${words}`).join("\n");

export const fieldErrorSchema = {
  type: "object",
  description: "An error in one field.",
  additionalProperties: false,
  required: ["pointer", "code", "detail"],
  properties: {
    pointer: text(
      "JSON pointer into the body, `/name` of a path, query or header parameter, " +
        "or `?name` of an unknown or repeated query parameter.",
      256,
    ),
    code: oneOf(Object.keys(FIELD_CODES), lines(Object.entries(FIELD_CODES))),
    detail: text("Human-readable description of the error.", 512),
    reference: text("`reference_already_paid`: the reference.", 64),
    batchId: text("The same: ID of the batch that pays it.", 64, "^[A-Za-z0-9._:~-]+$"),
    batchStatus: oneOf(
      ["PENDING", "FINALIZING", "FINALIZED"],
      "The same: status of that batch. Until it is FINALIZED, nobody has received its points.",
    ),
    position: int(0, 9999, "The same: position of the transfer in that batch, from 0."),
  },
};

/** The schema of every error (RFC 9457), with the closed list of codes. */
export const problemSchema = {
  type: "object",
  description: "An error (RFC 9457).",
  additionalProperties: false,
  required: ["success", "type", "title", "status", "detail", "code", "requestId"],
  properties: {
    // Not `const`: converters to OpenAPI 3.0 take one that is false for none.
    success: { type: "boolean", enum: [false], description: "Always `false`." },
    type: text(
      "Link to the documentation of the code, relative to the service's URL.",
      128,
      "^/docs/errors#[a-z_]+$",
    ),
    title: text("Short summary of the code.", 128),
    status: int(400, 599, "HTTP status."),
    detail: text("Human-readable description of this occurrence.", 1024),
    code: oneOf(
      API_PROBLEM_CODES,
      lines(
        API_PROBLEM_CODES.map((code) => [
          code,
          `${PROBLEMS[code].status}, ${PROBLEMS[code].title}. ${PROBLEM_TABLE[code].remedy}`,
        ]),
      ),
    ),
    instance: text(
      "Link to the request in the staff's console, relative to the service's URL.",
      512,
      "^/requests/[A-Za-z0-9._~%-]+$",
    ),
    requestId: text("ID of the request in the service's log: your own `X-Request-Id` if it is valid.", 128),
    errors: {
      type: "array",
      maxItems: 100_000,
      description: `Field errors: the first ${FIELD_ERRORS_MAX}, or all of them in a dry run.`,
      items: { $ref: "#/components/schemas/FieldError" },
    },
    errorCount: int(0, 100_000, "Total number of field errors."),
    signer: address("`not_operator`: the address that signed."),
    storedDigest: digest("`batch_id_conflict`, `idempotency_key_reused`: digest of the stored batch."),
    sentDigest: digest("The same: digest of the batch in the request."),
    batchStatus: oneOf(BATCH_STATUSES, "`not_cancellable`, `batch_not_finalized`: the status of the batch."),
    since: instant("`not_cancellable`, `batch_cancelled`: when the batch got its current status."),
    reversed: listOf("`already_reversed`: the recipients, each with the reversal.", {
      toAddress: address("The recipient."),
      batchId: text("ID of the reversal.", 64, "^[A-Za-z0-9._:~-]+$"),
      batchStatus: oneOf(
        ["PENDING", "FINALIZING", "FINALIZED"],
        "Status of the reversal. Unless it is FINALIZED, nothing is taken back yet.",
      ),
      finalizeAt: instant("When the reversal is due to be finalized."),
    }),
    recipients: listOf("`recipients_short`: the recipients that have too few points available.", {
      toAddress: address("The recipient."),
      available: amount("Points that the recipient has available."),
      needed: amount("Points that the recipient would give up."),
    }),
    available: amount("`insufficient_points`: points that the contract has available."),
    asked: amount("`insufficient_points`: points that the batch needs."),
  },
};

export function exampleProblem(code: ApiProblemCode): Problem {
  const { detail, members } = PROBLEM_TABLE[code];
  return { ...toProblem(new DomainError(code, detail), "0f9d6a2e-54b1-4a37-9d8c-6f1c3b7e2a10"), ...members };
}

/** One of each code that an operation returns: the document's `components.examples`. */
export function problemExamples(): Record<string, { summary: string; value: Problem }> {
  const codes = API_PROBLEM_CODES.filter((code) => code !== "method_not_allowed").sort();
  return Object.fromEntries(
    codes.map((code) => [code, { summary: PROBLEMS[code].title, value: exampleProblem(code) }]),
  );
}
