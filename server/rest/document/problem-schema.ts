import { FIELD_CODES, FIELD_ERRORS_MAX, PROBLEMS } from "../../kernel/values/problems";
import { API_PROBLEM_CODES } from "./operation-problems";

const text = (description: string, maxLength: number, pattern = "^[^\\x00-\\x1f]*$") => ({
  type: "string",
  description,
  maxLength,
  pattern,
});
const amount = (description: string) => text(description, 69, "^(0|[1-9][0-9]*)(\\.[0-9]{1,12})?$");
const digest = (description: string) => text(description, 64, "^[0-9a-f]{64}$");
const lines = (entries: [string, string][]) => entries.map(([code, words]) => `- \`${code}\`: ${words}`);

/** One entry of `errors`. */
export const fieldErrorSchema = {
  type: "object",
  description: "An error in one field.",
  additionalProperties: false,
  required: ["pointer", "code", "detail"],
  properties: {
    pointer: text(
      "JSON pointer into the body, `/name` of a path or query parameter, or `?name` of an unknown or repeated query parameter.",
      256,
    ),
    code: {
      type: "string",
      enum: Object.keys(FIELD_CODES),
      description: lines(Object.entries(FIELD_CODES)).join("\n"),
    },
    detail: text("Human-readable description of the error.", 512),
  },
};

/** The schema of every error (RFC 9457), with the closed list of codes. */
export const problemSchema = {
  type: "object",
  description: "An error (RFC 9457).",
  additionalProperties: false,
  required: ["success", "type", "title", "status", "detail", "code", "requestId"],
  properties: {
    success: { type: "boolean", const: false, description: "Always `false`." },
    type: text(
      "Link to the documentation of the code, relative to the service's URL.",
      128,
      "^/docs/errors#[a-z_]+$",
    ),
    title: text("Short summary of the code.", 128),
    status: {
      type: "integer",
      format: "int32",
      minimum: 400,
      maximum: 599,
      description: "HTTP status.",
    },
    detail: text("Human-readable description of this occurrence.", 1024),
    code: {
      type: "string",
      enum: API_PROBLEM_CODES,
      description: lines(
        API_PROBLEM_CODES.map((code) => [
          code,
          `${PROBLEMS[code].status}, ${PROBLEMS[code].title}. ${PROBLEMS[code].remedy}`,
        ]),
      ).join("\n"),
    },
    requestId: text("ID of the request in the service's log: your own `X-Request-Id` if it is valid.", 128),
    errors: {
      type: "array",
      maxItems: 100_000,
      description: `Field errors: the first ${FIELD_ERRORS_MAX}, or all of them in a dry run.`,
      items: { $ref: "#/components/schemas/FieldError" },
    },
    errorCount: {
      type: "integer",
      format: "int32",
      minimum: 0,
      maximum: 100_000,
      description: "Total number of field errors.",
    },
    signer: text("`not_operator`: the address that signed.", 42, "^0x[0-9a-fA-F]{40}$"),
    storedDigest: digest("`batch_id_conflict`: digest of the stored batch."),
    sentDigest: digest("`batch_id_conflict`: digest of the batch in the request."),
    batchStatus: {
      type: "string",
      enum: ["PENDING", "CANCELLED", "FINALIZING", "FINALIZED"],
      description: "`not_cancellable`, `batch_not_finalized`: the status of the batch.",
    },
    since: {
      type: "string",
      format: "date-time",
      maxLength: 24,
      description: "`not_cancellable`, `batch_cancelled`: when the batch got its current status.",
    },
    reversed: {
      type: "array",
      maxItems: 10_000,
      description: "`already_reversed`: the recipients, each with the reversal.",
      items: {
        type: "object",
        required: ["toAddress", "batchId", "batchStatus", "finalizeAt"],
        additionalProperties: false,
        properties: {
          toAddress: text("The recipient.", 42, "^0x[0-9a-fA-F]{40}$"),
          batchId: text("ID of the reversal.", 64, "^[A-Za-z0-9._:~-]+$"),
          batchStatus: {
            type: "string",
            enum: ["PENDING", "FINALIZING", "FINALIZED"],
            description: "Status of the reversal. Unless it is FINALIZED, nothing is taken back yet.",
          },
          finalizeAt: {
            type: "string",
            format: "date-time",
            maxLength: 24,
            description: "When the reversal is due to be finalized.",
          },
        },
      },
    },
    recipients: {
      type: "array",
      maxItems: 10_000,
      description: "`recipients_short`: the recipients that have too few points available.",
      items: {
        type: "object",
        required: ["toAddress", "available", "needed"],
        additionalProperties: false,
        properties: {
          toAddress: text("The recipient.", 42, "^0x[0-9a-fA-F]{40}$"),
          available: amount("Points that the recipient has available."),
          needed: amount("Points that the recipient would give up."),
        },
      },
    },
    available: amount("`insufficient_points`: points that the contract has available."),
    asked: amount("`insufficient_points`: points that the batch needs."),
  },
};
