import type { Database } from "@/db/client";
import type { RequestContext } from "@/server/kernel/context";
import { addressError, addressKey } from "../kernel/values/address-text";
import { addressFromBytes, addressToBytes } from "../kernel/values/addresses";
import { DomainError } from "../kernel/values/problems";
import { findCaller } from "./find-caller";
import { requireFewFailures, setRateLimitHeaders, tokenFailed, tokenIsValid } from "./limits";
import { DEFAULT_SCOPES, hashToken, type TokenScope, tokenKind } from "./tokens";

export interface ContractCaller {
  /** Shown in the timeline and the audit log: `token:<name>` or `operator:<address>`. */
  actor: string;
  /** Who created the access token; null for an operator's. */
  tokenCreatedBy: string | null;
  /** Lower case. */
  contractKey: string;
  scopes: readonly string[];
}

const CHALLENGE = { "WWW-Authenticate": 'Bearer realm="point-transfer-batches"' };

/**
 * Authenticates an `Authorization` header and counts the request.
 * @throws DomainError `missing_token`, `invalid_token`, `expired_token`; `rate_limited` with `Retry-After`
 */
export async function admitCaller(
  ctx: Pick<RequestContext, "db" | "authorization" | "clientAddress" | "replyHeaders">,
): Promise<ContractCaller> {
  const { db, authorization } = ctx;
  if (!authorization)
    throw new DomainError("missing_token", "Send the header `Authorization: Bearer <token>`.", {
      headers: CHALLENGE,
    });
  const token = /^Bearer +(\S+)$/i.exec(authorization)?.[1] ?? "";
  const kind = tokenKind(token);
  // A malformed token costs no lookup, so it is not counted.
  if (!kind) throw unknownToken();
  const hash = hashToken(token).toString("hex");
  requireFewFailures(ctx, hash);
  const found = await findCaller(db, kind, hash);
  if (!found || found.ended) await tokenFailed(ctx, hash);
  if (!found) throw unknownToken();
  if (found.ended)
    throw expiredToken(kind === "access" ? `The access token ${found.ended}.` : OPERATOR_TOKEN_EXPIRED);
  tokenIsValid(db, hash);
  if (found.counted) setRateLimitHeaders("token", found.counted, ctx.replyHeaders);
  return {
    actor: found.operator_address
      ? `operator:${addressFromBytes(found.operator_address)}`
      : `token:${found.name}`,
    tokenCreatedBy: found.created_by,
    contractKey: toKey(found.contract_address),
    scopes: found.scopes ?? DEFAULT_SCOPES,
  };
}

const OPERATOR_TOKEN_EXPIRED = "The token expired, or the contract has a new operator.";

const toKey = (address: Buffer) => `0x${address.toString("hex")}`;

/** Whether a caller may act for a contract. @throws DomainError `contract_not_found`, `wrong_contract`, `missing_scope` */
export async function authorizeContract(
  db: Database,
  caller: ContractCaller,
  contractAddress: unknown,
  scope: TokenScope,
): Promise<void> {
  // A malformed address is left to input validation, which reports what is wrong with it.
  if (typeof contractAddress === "string" && addressError(contractAddress) === null) {
    if (addressKey(contractAddress) !== caller.contractKey)
      throw await contractMismatch(db, caller, contractAddress);
  }
  if (!caller.scopes.includes(scope))
    throw new DomainError("missing_scope", `The token lacks the required scope: ${scope}.`);
}

async function contractMismatch(
  db: Database,
  caller: ContractCaller,
  contractAddress: string,
): Promise<DomainError> {
  const known = await db.sql`select 1 from contracts where address = ${addressToBytes(contractAddress)}`;
  if (known.length === 0)
    return new DomainError("contract_not_found", `The contract ${contractAddress} is not registered.`);
  const own = addressFromBytes(addressToBytes(caller.contractKey));
  return new DomainError("wrong_contract", `The token is only valid for contract ${own}.`);
}

const unknownToken = () =>
  new DomainError("invalid_token", "The access token is malformed or unknown.", { headers: invalidToken() });
const expiredToken = (detail: string) =>
  new DomainError("expired_token", detail, { headers: invalidToken() });
const invalidToken = () => ({
  "WWW-Authenticate": `${CHALLENGE["WWW-Authenticate"]}, error="invalid_token"`,
});
