import { describe, expect, test } from "vitest";
import { PROBLEMS, type ProblemCode } from "./problems";

/** A second copy of the list in `/docs/errors`, so that neither can change alone. */
const DOCUMENTED: Record<number, string[]> = {
  400: ["validation_failed", "invalid_json", "invalid_cursor", "cursor_mismatch"],
  401: ["missing_token", "invalid_token", "expired_token", "challenge_expired", "invalid_signature"],
  403: ["not_operator", "wrong_contract", "missing_scope"],
  404: ["not_found", "contract_not_found", "batch_not_found", "receipt_not_found"],
  405: ["method_not_allowed"],
  // Clients treat 409 as done.
  409: ["batch_id_conflict", "not_cancellable"],
  413: ["body_too_large"],
  415: ["unsupported_media_type"],
  422: [
    "insufficient_points",
    "batch_cancelled",
    "batch_not_finalized",
    "already_reversed",
    "recipients_short",
  ],
  429: ["rate_limited"],
  500: ["internal_error"],
  503: ["unavailable"],
};
/** Used by the console only. */
const CONSOLE_ONLY = ["not_allowed", "query_timeout"];

const codes = Object.keys(PROBLEMS) as ProblemCode[];

describe("the list of errors", () => {
  test("matches the documentation", () => {
    const byStatus: Record<number, string[]> = {};
    for (const code of codes.filter((name) => !CONSOLE_ONLY.includes(name))) {
      byStatus[PROBLEMS[code].status] = [...(byStatus[PROBLEMS[code].status] ?? []), code];
    }
    expect(byStatus).toEqual(DOCUMENTED);
  });
});
