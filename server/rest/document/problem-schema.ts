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
  description: "One fault of one field.",
  additionalProperties: false,
  required: ["pointer", "code", "detail"],
  properties: {
    pointer: text(
      "JSON pointer into the body, or `/name` of a path or query parameter; `?name` of a parameter that there is not.",
      256,
    ),
    code: {
      type: "string",
      enum: Object.keys(FIELD_CODES),
      description: lines(Object.entries(FIELD_CODES)).join("\n"),
    },
    detail: text("What is wrong, for people.", 512),
  },
};

/** The one shape of every error (RFC 9457), with the closed list of codes. */
export const problemSchema = {
  type: "object",
  description: "The one shape of every error (RFC 9457).",
  additionalProperties: false,
  required: ["success", "type", "title", "status", "detail", "code", "requestId"],
  properties: {
    success: { type: "boolean", const: false, description: "Always `false`." },
    type: text("Where the code is explained, relative to this service.", 128, "^/docs/errors#[a-z_]+$"),
    title: text("The code in words.", 128),
    status: {
      type: "integer",
      format: "int32",
      minimum: 400,
      maximum: 599,
      description: "The HTTP status.",
    },
    detail: text("What happened this time, for people.", 1024),
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
    requestId: text("Finds the request in the log; the caller's `X-Request-Id` when it is safe.", 128),
    errors: {
      type: "array",
      maxItems: 100_000,
      description: `Faults of fields: the first ${FIELD_ERRORS_MAX}, or in a dry run as many as a full batch can have.`,
      items: { $ref: "#/components/schemas/FieldError" },
    },
    errorCount: {
      type: "integer",
      format: "int32",
      minimum: 0,
      maximum: 100_000,
      description: "How many faults of fields there are.",
    },
    storedDigest: digest("`batch_id_conflict`: digest of the batch that the id holds."),
    sentDigest: digest("`batch_id_conflict`: digest of the batch that was sent."),
    batchStatus: {
      type: "string",
      enum: ["CANCELLED", "FINALIZING", "FINALIZED"],
      description: "`not_cancellable`: the state of the batch.",
    },
    since: {
      type: "string",
      format: "date-time",
      maxLength: 24,
      description: "`not_cancellable`: since when it is in that state.",
    },
    available: amount("`insufficient_points`: what the contract has available."),
    asked: amount("`insufficient_points`: what the batch needs."),
  },
};
