import type { Database } from "@/db/client";
import { addressFault, addressKey } from "../ledger/address-text";
import { addressFromBytes, addressToBytes } from "../ledger/addresses";
import { log } from "../log";
import { DomainError } from "../problems";
import type { RequestContext } from "../trpc/context";
import { hashToken, TOKEN_SCOPES, type TokenScope, tokenKind } from "./access-token";
import { beginCount, type CountedRow } from "./count-with-caller";

/** Who calls: one contract, by one token. */
export interface ContractCaller {
  /** What the caller's requests are counted under: an access token, or the operator of a contract. */
  callerId: string;
  /** For timeline and audit: `token:<name>` or `operator:<address>`. */
  actor: string;
  /** Lower case. */
  contractKey: string;
  scopes: readonly string[];
}

const CHALLENGE = { "WWW-Authenticate": 'Bearer realm="point-transfer-batches"' };

/**
 * Finds the caller of an `Authorization` header, and counts the request in the same statement: a round trip to the
 * database costs a small submit more than its checks. Expiry is told by the database's clock.
 * @throws DomainError `missing_token`, `invalid_token`, `expired_token`; `rate_limited` with `Retry-After`
 */
export async function admitCaller(
  ctx: Pick<RequestContext, "db" | "authorization" | "replyHeaders">,
): Promise<ContractCaller> {
  const { db, authorization } = ctx;
  if (!authorization) {
    throw new DomainError("missing_token", "Send the header `Authorization: Bearer <token>`.", {
      headers: CHALLENGE,
    });
  }
  const token = /^Bearer +(\S+)$/i.exec(authorization)?.[1] ?? "";
  const kind = tokenKind(token);
  if (kind === null) throw unknownToken();
  const hash = hashToken(token);
  const counting = beginCount(db, hash.toString("hex"));
  const [row] = await db.sql<CallerRow[]>`
    with caller as (${kind === "access" ? accessCaller(db, hash) : operatorCaller(db, hash)})
    ${counting.statement}`;
  if (!row) throw unknownToken();
  if (row.ended) {
    const other = kind === "access" ? "The token expired or was revoked." : OPERATOR_TOKEN_ENDED;
    throw endedToken(other);
  }
  if (row.use_is_stale) noteUse(db, row.caller_id);
  counting.end(row, ctx.replyHeaders);
  return {
    callerId: row.caller_id,
    actor: row.operator_address ? `operator:${addressFromBytes(row.operator_address)}` : `token:${row.name}`,
    contractKey: toKey(row.contract_address),
    scopes: row.scopes ?? TOKEN_SCOPES,
  };
}

const OPERATOR_TOKEN_ENDED = "The token expired, or the contract has another operator now.";

interface CallerRow extends CountedRow {
  caller_id: string;
  name: string | null;
  contract_address: Buffer;
  operator_address: Buffer | null;
  /** Null has all. */
  scopes: string[] | null;
  ended: boolean;
  use_is_stale: boolean;
}

const accessCaller = ({ sql }: Database, hash: Buffer) => sql`
  select id::text as caller_id, name, contract_address, null::bytea as operator_address, scopes,
    revoked_at is not null or coalesce(expires_at <= now(), false) as ended,
    coalesce(last_used_at < now() - interval '1 minute', true) as use_is_stale
  from access_tokens where token_hash = ${hash}`;

/** An operator's token ends with its hour, and with the operator: a contract that names another one takes it no more. */
const operatorCaller = ({ sql }: Database, hash: Buffer) => sql`
  select concat('0x', encode(t.operator_address, 'hex'), '@0x', encode(t.contract_address, 'hex')) as caller_id,
    null as name, t.contract_address, t.operator_address, null::text[] as scopes,
    t.expires_at <= now() or c.operator_address is distinct from t.operator_address as ended, false as use_is_stale
  from operator_tokens t left join contracts c on c.address = t.contract_address
  where t.token_hash = ${hash}`;

const toKey = (address: Buffer) => `0x${address.toString("hex")}`;

/**
 * Whether a caller may act for a contract.
 * @throws DomainError `contract_not_found`, `wrong_contract`, `missing_scope`
 */
export async function authorizeContract(
  db: Database,
  caller: ContractCaller,
  contractAddress: unknown,
  scope: TokenScope,
): Promise<void> {
  // An address that is no address is left to the input's own rules, which say what is wrong with it.
  if (typeof contractAddress === "string" && addressFault(contractAddress) === null) {
    if (addressKey(contractAddress) !== caller.contractKey)
      throw await otherContract(db, caller, contractAddress);
  }
  if (!caller.scopes.includes(scope)) {
    throw new DomainError("missing_scope", `The token lacks the scope ${scope}.`);
  }
}

async function otherContract(
  db: Database,
  caller: ContractCaller,
  contractAddress: string,
): Promise<DomainError> {
  const known = await db.sql`select 1 from contracts where address = ${addressToBytes(contractAddress)}`;
  if (known.length === 0) {
    return new DomainError("contract_not_found", `The contract ${contractAddress} is not registered.`);
  }
  const own = addressFromBytes(addressToBytes(caller.contractKey));
  return new DomainError("wrong_contract", `The token acts for ${own} only.`);
}

const unknownToken = () =>
  new DomainError("invalid_token", "The token is garbled or was never given out.", { headers: ended() });
const endedToken = (detail: string) => new DomainError("expired_token", detail, { headers: ended() });
const ended = () => ({ "WWW-Authenticate": `${CHALLENGE["WWW-Authenticate"]}, error="invalid_token"` });

/** At most once a minute a token; a lost note costs nothing, so no caller waits for it. */
function noteUse(db: Database, tokenId: string): void {
  db.sql`update access_tokens set last_used_at = now() where id = ${tokenId}`.catch((error: unknown) =>
    log().debug({ error }, "a token's last use was not noted"),
  );
}
