import { DomainError, type Problem, toProblem } from "../../kernel/values/problems";
import type { ApiProblemCode } from "./operation-problems";

type Example = ConstructorParameters<typeof DomainError> extends [unknown, ...infer Rest] ? Rest : never;

/** One true-to-life case of each code: its detail, and what else the problem carries. */
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
  invalid_json: ["The body is not one JSON document in UTF-8."],
  invalid_cursor: ["The cursor was cut or changed on its way."],
  cursor_mismatch: ["The cursor was given for another contract, filter or sort."],
  missing_token: ["Send the header `Authorization: Bearer <token>`."],
  invalid_token: ["The token is garbled or was never given out."],
  expired_token: ["The token expired or was revoked."],
  challenge_expired: ["The challenge was used before, or expired meanwhile."],
  invalid_signature: ["The message was not signed by the operator of the contract."],
  wrong_contract: ["The token acts for 0xfB6916095ca1df60bB79Ce92cE3Ea74c37c5d359 only."],
  missing_scope: ["The token lacks the scope batches:write."],
  not_found: ["There is no such path."],
  contract_not_found: ["The contract 0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed is not registered."],
  batch_not_found: ["The contract has no batch payout-2026-01-31."],
  method_not_allowed: ["Use POST, GET, HEAD, OPTIONS."],
  batch_id_conflict: [
    "The id payout-2026-01-31 holds a batch with other content.",
    { extra: { storedDigest: "5d41".repeat(16), sentDigest: "a3f0".repeat(16) } },
  ],
  not_cancellable: [
    "The batch is FINALIZED since 2026-01-31T13:00:00.412Z.",
    { extra: { batchStatus: "FINALIZED", since: "2026-01-31T13:00:00.412Z" } },
  ],
  body_too_large: ["The body is larger than 1048576 bytes."],
  unsupported_media_type: ["The body must be application/json in UTF-8."],
  insufficient_points: [
    "The batch needs 120.5 PHASE2_POINTS; 100 are available.",
    { extra: { available: "100", asked: "120.5" } },
  ],
  rate_limited: ["More than 600 requests in 60 seconds; go on in 17."],
  internal_error: ["The request could not be carried out. The request id finds it in the log."],
  unavailable: ["The database did not answer in time; nothing is known to be stored."],
};

/** A problem as the service would answer it. */
export function exampleProblem(code: ApiProblemCode): Problem {
  const [detail, options] = EXAMPLES[code];
  return toProblem(new DomainError(code, detail, options), "0f9d6a2e-54b1-4a37-9d8c-6f1c3b7e2a10");
}
