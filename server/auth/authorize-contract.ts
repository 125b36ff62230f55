import type { Database } from "@/db/client";
import { addressFault, addressFromBytes, addressKey, addressToBytes } from "../ledger/addresses";
import { log } from "../log";
import { DomainError } from "../problems";
import { hashToken, isAccessToken, type TokenScope } from "./access-token";

/** Who calls: one contract, by one token. */
export interface ContractCaller {
  tokenId: string;
  tokenName: string;
  /** Lower case. */
  contractKey: string;
  scopes: readonly string[];
}

interface TokenRow {
  id: string;
  name: string;
  contract_address: Buffer;
  scopes: string[];
  ended: boolean;
  use_is_stale: boolean;
}

const CHALLENGE = { "WWW-Authenticate": 'Bearer realm="point-transfer-batches"' };

/**
 * Finds the caller of an `Authorization` header. Expiry is told by the database's clock.
 * @throws DomainError `missing_token`, `invalid_token`, `expired_token`
 */
export async function authenticateContract(
  db: Database,
  authorization: string | null,
): Promise<ContractCaller> {
  if (!authorization) {
    throw new DomainError("missing_token", "Send the header `Authorization: Bearer <token>`.", {
      headers: CHALLENGE,
    });
  }
  const token = /^Bearer +(\S+)$/i.exec(authorization)?.[1];
  if (!token || !isAccessToken(token)) throw unknownToken();
  const [row] = await db.sql<TokenRow[]>`
    select id, name, contract_address, scopes,
      revoked_at is not null or coalesce(expires_at <= now(), false) as ended,
      coalesce(last_used_at < now() - interval '1 minute', true) as use_is_stale
    from access_tokens where token_hash = ${hashToken(token)}`;
  if (!row) throw unknownToken();
  if (row.ended) {
    throw new DomainError("expired_token", "The token expired or was revoked.", { headers: ended() });
  }
  if (row.use_is_stale) noteUse(db, row.id);
  return {
    tokenId: row.id,
    tokenName: row.name,
    contractKey: `0x${row.contract_address.toString("hex")}`,
    scopes: row.scopes,
  };
}

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
const ended = () => ({ "WWW-Authenticate": `${CHALLENGE["WWW-Authenticate"]}, error="invalid_token"` });

/** At most once a minute a token; a lost note costs nothing, so no caller waits for it. */
function noteUse(db: Database, tokenId: string): void {
  db.sql`update access_tokens set last_used_at = now() where id = ${tokenId}`.catch((error: unknown) =>
    log().debug({ error }, "a token's last use was not noted"),
  );
}
