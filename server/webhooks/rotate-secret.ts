import { audited, contractTarget } from "../audit/audited";
import type { ServiceContext } from "../kernel/context";
import { addressToBytes } from "../kernel/values/addresses";
import { toTimestamp } from "../kernel/values/batch-rows";
import { OVERLAP_SECONDS_DEFAULT } from "./bounds";
import { type EndpointKey, endpointNotFound } from "./endpoint-rows";
import { makeWebhookSecret, sealSecret } from "./seal-secret";

/**
 * Creates a new secret for an endpoint, shown only once. Both secrets sign until the overlap ends. An overlap of 0 revokes
 * the old one immediately, for when it leaked. Any older secret stops signing now. @throws DomainError `not_found`
 */
export async function rotateSecret(
  ctx: ServiceContext,
  input: EndpointKey & { overlapSeconds?: number },
  serviceSecret: string,
): Promise<{ secret: string; previousSecretUntil: string | null }> {
  const secret = makeWebhookSecret();
  const sealed = sealSecret(secret, input.webhookId.toLowerCase(), serviceSecret);
  const overlapSeconds = input.overlapSeconds ?? OVERLAP_SECONDS_DEFAULT;
  const { sql } = ctx.db;
  const detail = sql`jsonb_build_object('url', url, 'endpoint', id, 'overlapSeconds', ${overlapSeconds}::int)`;
  const [row] = await sql<{ until: string | null }[]>`
    with rotated as (
      update webhook_endpoints set secret_sealed = ${sealed}::bytea,
        previous_secret_sealed = case when ${overlapSeconds}::int > 0 then secret_sealed end,
        previous_secret_until = case when ${overlapSeconds}::int > 0
          then now() + ${overlapSeconds}::int * interval '1 second' end
      where contract_address = ${addressToBytes(input.contractAddress)} and id = ${input.webhookId}::uuid
      returning id, url, previous_secret_until
    ), ${audited(ctx, { action: "webhook.rotate", target: contractTarget(input.contractAddress), detail, of: "rotated" })}
    select previous_secret_until as until from rotated`;
  if (!row) throw endpointNotFound();
  return { secret, previousSecretUntil: row.until && toTimestamp(row.until) };
}
