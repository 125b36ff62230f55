import { DomainError, PROBLEMS, type Problem, toProblem } from "../../kernel/values/problems";
import { type ApiProblemCode, OPERATION_PROBLEMS } from "./operation-problems";

type Example = ConstructorParameters<typeof DomainError> extends [unknown, ...infer Rest] ? Rest : never;

/** A realistic example of each code: its detail and extra members. */
const EXAMPLES: Record<ApiProblemCode, Example> = {
  validation_failed: [
    "/transfers/3/points must be at least 0.01 PHASE2_POINTS.",
    {
      errors: [
        {
          pointer: "/transfers/3/points",
          code: "points_below_minimum",
          detail: "must be at least 0.01 PHASE2_POINTS",
        },
      ],
    },
  ],
  invalid_json: ["The body is not a single JSON document in UTF-8."],
  invalid_cursor: ["The cursor is truncated or was modified."],
  cursor_mismatch: ["The cursor was issued for a different contract, filter or sort."],
  missing_token: ["Send the header `Authorization: Bearer <token>`."],
  invalid_token: ["The access token is malformed or unknown."],
  expired_token: ["The access token was revoked."],
  challenge_expired: ["The challenge has expired or was already used."],
  invalid_signature: ["The signature is not valid for any address."],
  not_operator: [
    "The signature is by 0xD1220A0cf47c7B9Be7A2E6BA89F429762e7b9aDb, which is not the operator of the contract 0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed. If you do not know that address, the message was changed before it was signed.",
    { extra: { signer: "0xD1220A0cf47c7B9Be7A2E6BA89F429762e7b9aDb" } },
  ],
  wrong_contract: ["The token is only valid for contract 0xfB6916095ca1df60bB79Ce92cE3Ea74c37c5d359."],
  missing_scope: ["The token lacks the required scope: batches:write."],
  not_found: ["This path does not exist."],
  contract_not_found: ["The contract 0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed is not registered."],
  batch_not_found: ["The contract has no batch payout-2026-01-31."],
  receipt_not_found: [
    "Batch payout-2026-01-31 has no transfer to 0xD1220A0cf47c7B9Be7A2E6BA89F429762e7b9aDb.",
  ],
  method_not_allowed: ["Allowed methods: POST, GET, HEAD, OPTIONS."],
  batch_id_conflict: [
    "The ID payout-2026-01-31 is already used by a batch with different content.",
    { extra: { storedDigest: "5d41".repeat(16), sentDigest: "a3f0".repeat(16) } },
  ],
  not_cancellable: [
    "The batch has been FINALIZED since 2026-01-31T13:00:00.412Z.",
    { extra: { batchStatus: "FINALIZED", since: "2026-01-31T13:00:00.412Z" } },
  ],
  body_too_large: ["The body is larger than 1048576 bytes."],
  unsupported_media_type: ["The body must be application/json in UTF-8."],
  insufficient_points: [
    "The batch needs 120.5 PHASE2_POINTS, but the contract has only 100 available.",
    { extra: { available: "100", asked: "120.5" } },
  ],
  batch_cancelled: [
    "The batch payout-2026-01-31 was cancelled at 2026-01-31T12:20:00.412Z and will not be finalized. Send it again under a new ID.",
    { extra: { since: "2026-01-31T12:20:00.412Z" } },
  ],
  batch_not_finalized: [
    "The batch is PENDING. Only a FINALIZED batch has a root and receipts.",
    { extra: { batchStatus: "PENDING" } },
  ],
  already_reversed: [
    "Already taken back, or about to be: 0xfB6916095ca1df60bB79Ce92cE3Ea74c37c5d359 (by payout-2026-01-31-back, PENDING).",
    {
      extra: {
        reversed: [
          {
            toAddress: "0xfB6916095ca1df60bB79Ce92cE3Ea74c37c5d359",
            batchId: "payout-2026-01-31-back",
            batchStatus: "PENDING",
            finalizeAt: "2026-02-01T12:00:00.000Z",
          },
        ],
      },
    },
  ],
  recipients_short: [
    "Recipients have too few points available: 0xfB6916095ca1df60bB79Ce92cE3Ea74c37c5d359 has 2 of 10.5 PHASE2_POINTS.",
    {
      extra: {
        recipients: [
          { toAddress: "0xfB6916095ca1df60bB79Ce92cE3Ea74c37c5d359", available: "2", needed: "10.5" },
        ],
      },
    },
  ],
  rate_limited: ["Rate limit exceeded: 600 requests per 60 seconds. Retry in 17 seconds."],
  internal_error: ["An internal error occurred. Details are logged under the request ID."],
  unavailable: ["The database did not answer in time. The request may or may not have been applied."],
};

/** A problem as the service would return it. */
export function exampleProblem(code: ApiProblemCode): Problem {
  const [detail, options] = EXAMPLES[code];
  return toProblem(new DomainError(code, detail, options), "0f9d6a2e-54b1-4a37-9d8c-6f1c3b7e2a10");
}

/** One of each code that an operation returns: the document's `components.examples`. */
export function problemExamples(): Record<string, { summary: string; value: Problem }> {
  const codes = [...new Set(Object.values(OPERATION_PROBLEMS).flat())].sort();
  return Object.fromEntries(
    codes.map((code) => [code, { summary: PROBLEMS[code].title, value: exampleProblem(code) }]),
  );
}
