import type { ServiceContext } from "../kernel/context";
import { addressFromBytes, addressToBytes } from "../kernel/values/addresses";

/** Which first steps are done, by what is stored. */
export interface Setup {
  /** The contract meant: the given one, or the first registered; null when there is none. */
  contractAddress: string | null;
  hasToken: boolean;
  hasBatch: boolean;
  hasWebhook: boolean;
  /** Whether somebody else was invited or added. */
  hasTeam: boolean;
}

interface SetupRow {
  has_token: boolean;
  has_batch: boolean;
  has_webhook: boolean;
}

/** The first steps of a contract, or of the whole console. Each table is read by the contract's own index. */
export async function describeSetup(
  ctx: ServiceContext,
  input: { contractAddress?: string | undefined },
): Promise<Setup> {
  const { sql } = ctx.db;
  const [found] = input.contractAddress
    ? [{ address: addressToBytes(input.contractAddress) }]
    : await sql<{ address: Buffer }[]>`select address from contracts order by created_at, address limit 1`;
  const [people] = await sql<{ has_team: boolean }[]>`
    select count(*) > 1 as has_team from (select 1 from staff limit 2) s`;
  const hasTeam = people?.has_team ?? false;
  if (!found) return { contractAddress: null, hasToken: false, hasBatch: false, hasWebhook: false, hasTeam };
  const { address } = found;
  const [[token], [stored]] = await Promise.all([
    sql<Pick<SetupRow, "has_token">[]>`
      select exists (select 1 from access_tokens where contract_address = ${address}
        and revoked_at is null and coalesce(expires_at > now(), true)) as has_token`,
    sql<Omit<SetupRow, "has_token">[]>`
      select exists (select 1 from batches where contract_address = ${address}) as has_batch,
        exists (select 1 from webhook_endpoints where contract_address = ${address}) as has_webhook`,
  ]);
  return {
    contractAddress: addressFromBytes(address),
    hasToken: token?.has_token ?? false,
    hasBatch: stored?.has_batch ?? false,
    hasWebhook: stored?.has_webhook ?? false,
    hasTeam,
  };
}
