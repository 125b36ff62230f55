import type { ServiceContext } from "../kernel/context";
import { addressFromBytes, addressToBytes } from "../kernel/values/addresses";

/** Which first steps are done, according to what is stored. */
export interface Setup {
  /** The given contract, or the first one registered; null when there is none. */
  contractAddress: string | null;
  hasToken: boolean;
  hasBatch: boolean;
  hasWebhook: boolean;
  /** Whether somebody else was invited or added. */
  hasTeam: boolean;
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
  const [team] = await sql<Pick<Setup, "hasTeam">[]>`
    select count(*) > 1 as "hasTeam" from (select 1 from staff limit 2) s`;
  if (!found) return { contractAddress: null, hasToken: false, hasBatch: false, hasWebhook: false, ...team! };
  const { address } = found;
  const [[token], [stored]] = await Promise.all([
    sql<Pick<Setup, "hasToken">[]>`
      select exists (select 1 from access_tokens where contract_address = ${address}
        and revoked_at is null and coalesce(expires_at > now(), true)) as "hasToken"`,
    sql<Pick<Setup, "hasBatch" | "hasWebhook">[]>`
      select exists (select 1 from batches where contract_address = ${address}) as "hasBatch",
        exists (select 1 from webhook_endpoints where contract_address = ${address}) as "hasWebhook"`,
  ]);
  return { contractAddress: addressFromBytes(address), ...token!, ...stored!, ...team! };
}
