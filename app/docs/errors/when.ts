import type { ApiProblemCode } from "@/server/rest/document/operation-problems";

/** When each problem happens. */
export const WHEN = {
  validation_failed:
    "A parameter or a field breaks a rule. `errors` names every fault, of every row, with a JSON pointer to it: the first 100 (a dry run: all), and `errorCount` says how many there are. Nothing is stored.",
  invalid_json: "The body is not one JSON object in UTF-8, names a key twice, or is nested too deep.",
  invalid_cursor: "`cursor` is not one that this service gave.",
  cursor_mismatch: "`cursor` is sound, but was given for other filters, another sort or another contract.",
  missing_token: "There is no `Authorization` header.",
  invalid_token:
    "`Authorization` is not of the form `Bearer <token>`, or the token is none of this service's: cut, mistyped, or of another host.",
  expired_token: "The token was good and has ended: it expired, was revoked, or its operator was changed.",
  challenge_expired: "The challenge is older than 60 seconds, or was solved already: each works once.",
  invalid_signature:
    "The signature is not one of the message by the operator that the challenge was made for.",
  wrong_contract: "The token is good, but for another contract than the one in the path.",
  missing_scope:
    "The token may not do this: reading needs `batches:read`, submitting and cancelling `batches:write`.",
  not_found: "No operation has this path. Paths are exact: letter case and a slash at the end count.",
  contract_not_found: "Nobody has registered the contract at this service.",
  batch_not_found: "The contract has no batch under this id.",
  method_not_allowed: "The path exists, but not with this method. `Allow` names the methods it has.",
  batch_id_conflict:
    "The id you chose already holds a batch with other content. The body shows both digests. The same content again would be a success.",
  not_cancellable: "The batch is FINALIZING, FINALIZED or CANCELLED already; `detail` says since when.",
  body_too_large: "The body has more bytes than this service takes. It is refused before it is parsed.",
  unsupported_media_type: "The body is not declared as JSON, or is compressed.",
  insufficient_points:
    "The contract is prefunded, and the batch needs more points than it has available. Nothing is stored.",
  rate_limited:
    "The token, or at sign-in the client address, has made as many requests as it may in a minute. `RateLimit` says what is left and when it starts anew.",
  internal_error: "A fault of the service. It is logged under the request id, with nothing of what you sent.",
  unavailable:
    "The service cannot reach its database, or is stopping. Whether a submit was stored is unknown: repeat it under its own id, which is safe.",
} satisfies Record<ApiProblemCode, string>;
