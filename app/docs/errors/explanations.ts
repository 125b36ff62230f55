import type { FieldError, ProblemCode } from "@/server/problems";

/** What callers of `/v1` meet; `not_allowed` is the console's alone: staff have roles, tokens have scopes. */
export type ApiCode = Exclude<ProblemCode, "not_allowed">;

export const CONSOLE_ONLY: readonly ProblemCode[] = ["not_allowed"];

export interface Explanation {
  when: string;
  /** Of the example body. */
  detail: string;
  errors?: FieldError[];
  extra?: Record<string, unknown>;
}

/** When each problem happens, with the words of an example. */
export const EXPLANATIONS = {
  validation_failed: {
    when: "A parameter or a field breaks a rule. `errors` names every fault, of every row, with a JSON pointer to it: the first 100, and `errorCount` says how many there are. Nothing is stored.",
    detail: "2 faults in the request.",
    errors: [
      {
        pointer: "/transfers/3/points",
        code: "points_below_minimum",
        detail: "is below the least transfer of its point type",
      },
      { pointer: "/secondsToFinalize", code: "out_of_range", detail: "must be at least the least wait" },
    ],
  },
  invalid_json: {
    when: "The body is not one JSON object in UTF-8, names a key twice, or is nested too deep.",
    detail: "The body is not one JSON document in UTF-8.",
  },
  invalid_cursor: {
    when: "`cursor` is not one that this service gave.",
    detail: "The cursor was cut or changed on its way.",
  },
  cursor_mismatch: {
    when: "`cursor` is sound, but was given for other filters, another sort or another contract.",
    detail: "The cursor was given for another contract, filter or sort.",
  },
  missing_token: {
    when: "There is no `Authorization` header.",
    detail: "Send the header `Authorization: Bearer <token>`.",
  },
  invalid_token: {
    when: "`Authorization` is not of the form `Bearer <token>`, or the token is none of this service's: cut, mistyped, or of another host.",
    detail: "The token is garbled or was never given out.",
  },
  expired_token: {
    when: "The token was good and has ended: it expired, was revoked, or its operator was changed.",
    detail: "The token expired or was revoked.",
  },
  challenge_expired: {
    when: "The challenge is older than 60 seconds, or was solved already: each works once.",
    detail: "The challenge has ended.",
  },
  invalid_signature: {
    when: "The signature is not one of the message by the operator that the challenge was made for.",
    detail: "The signature is not the operator's.",
  },
  wrong_contract: {
    when: "The token is good, but for another contract than the one in the path.",
    detail: "The token acts for 0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed only.",
  },
  missing_scope: {
    when: "The token may not do this: reading needs `batches:read`, submitting and cancelling `batches:write`.",
    detail: "The token lacks the scope batches:write.",
  },
  not_found: {
    when: "No operation has this path. Paths are exact: letter case and a slash at the end count.",
    detail: "There is no such path.",
  },
  contract_not_found: {
    when: "Nobody has registered the contract at this service.",
    detail: "The contract 0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed is not registered.",
  },
  batch_not_found: {
    when: "The contract has no batch under this id.",
    detail: "The contract has no batch payout-2026-01.",
  },
  method_not_allowed: {
    when: "The path exists, but not with this method. `Allow` names the methods it has.",
    detail: "Use GET, POST, HEAD.",
  },
  batch_id_conflict: {
    when: "The id you chose already holds a batch with other content. The body shows both digests. The same content again would be a success.",
    detail: "The id payout-2026-01 holds a batch with other content.",
    extra: {
      storedDigest: "5f6b1c0d9a3e4f7788c2d1e0b4a5968771625344f5e6d7c8b9a0918273645546",
      sentDigest: "a91d0c3be58f47621d2c3b4a59687786f5e4d3c2b1a0998877665544332211ff",
    },
  },
  not_cancellable: {
    when: "The batch is FINALIZING, FINALIZED or CANCELLED already; `detail` says since when.",
    detail: "The batch is FINALIZED since 2026-01-31T12:00:00.000Z.",
    extra: { batchStatus: "FINALIZED", since: "2026-01-31T12:00:00.000Z" },
  },
  body_too_large: {
    when: "The body has more bytes than this service takes. It is refused before it is parsed.",
    detail: "The body is larger than the limit.",
  },
  unsupported_media_type: {
    when: "The body is not declared as JSON, or is compressed.",
    detail: "The body must be application/json in UTF-8.",
  },
  insufficient_points: {
    when: "The contract is prefunded, and the batch needs more points than it has available. Nothing is stored.",
    detail: "The batch needs 120.5 PHASE2_POINTS; 100 are available.",
    extra: { available: "100", asked: "120.5" },
  },
  rate_limited: {
    when: "The token has made as many requests as it may in a minute. `RateLimit` says what is left and when it starts anew.",
    detail: "Too many requests.",
  },
  internal_error: {
    when: "A fault of the service. It is logged under the request id, with nothing of what you sent.",
    detail: "The request could not be carried out. The request id finds it in the log.",
  },
  unavailable: {
    when: "The service cannot reach its database, or is stopping. Whether a submit was stored is unknown: repeat it under its own id, which is safe.",
    detail: "The database did not answer in time; nothing is known to be stored.",
  },
} satisfies Record<ApiCode, Explanation>;
