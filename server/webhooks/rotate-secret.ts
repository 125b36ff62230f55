import type { ServiceContext } from "../kernel/context";
import { addressToBytes } from "../kernel/values/addresses";
import { OVERLAP_SECONDS_DEFAULT } from "./bounds";
import type { EndpointKey } from "./endpoint-key";
import { endpointNotFound } from "./endpoint-not-found";
import { toTimestamp } from "./endpoint-rows";
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
  const [row] = await ctx.db.sql<{ until: string | null }[]>`
    with rotated as (
      update webhook_endpoints set secret_sealed = ${sealed}::bytea,
        previous_secret_sealed = case when ${overlapSeconds}::int > 0 then secret_sealed end,
        previous_secret_until = case when ${overlapSeconds}::int > 0
          then now() + ${overlapSeconds}::int * interval '1 second' end
      where contract_address = ${addressToBytes(input.contractAddress)} and id = ${input.webhookId}::uuid
      returning id, url, previous_secret_until
    ), audited as (
      insert into audit_log (actor, action, target, detail, request_id)
      select ${ctx.actor}, 'webhook.rotate', ${`contract:${input.contractAddress.toLowerCase()}`},
        jsonb_build_object('url', url, 'endpoint', id, 'overlapSeconds', ${overlapSeconds}::int), ${ctx.requestId}
      from rotated
    )
    select previous_secret_until as until from rotated`;
  if (!row) throw endpointNotFound();
  return { secret, previousSecretUntil: row.until && toTimestamp(row.until) };
}
