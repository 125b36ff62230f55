import { randomUUID } from "node:crypto";
import type { ServiceContext } from "../kernel/context";
import type { WebhookEvent } from "../kernel/outbox/events";
import { addressToBytes } from "../kernel/values/addresses";
import { DomainError } from "../kernel/values/problems";
import { contractNotFound } from "../ledger/contract-not-found";
import { ENDPOINTS_MAX } from "./bounds";
import { type EndpointRow, toEndpoint, type WebhookEndpoint } from "./endpoint-rows";
import { makeWebhookSecret, sealSecret } from "./seal-secret";
import { urlFault } from "./url-rules";

export interface NewEndpoint {
  contractAddress: string;
  url: string;
  events: readonly WebhookEvent[];
}

export interface WebhookRules {
  /** What secrets are sealed under. */
  serviceSecret: string;
  allowPrivate: boolean;
}

/**
 * Registers an endpoint; the answer is the only time its secret is shown. What happens from now on is sent to it.
 * @throws DomainError `contract_not_found`, `validation_failed`
 */
export async function createEndpoint(
  ctx: ServiceContext,
  input: NewEndpoint,
  rules: WebhookRules,
): Promise<{ endpoint: WebhookEndpoint; secret: string }> {
  const fault = urlFault(input.url, rules.allowPrivate);
  if (fault) {
    throw new DomainError("validation_failed", "The webhook's address does not fit.", {
      errors: [{ pointer: "/url", code: "invalid_value", detail: fault }],
    });
  }
  const [id, secret] = [randomUUID(), makeWebhookSecret()];
  const contract = addressToBytes(input.contractAddress);
  const sealed = sealSecret(secret, id, rules.serviceSecret);
  return ctx.db.sql.begin(async (tx) => {
    // The lock makes callers that come at once count one after the other; submits do not wait for it.
    const known = await tx`select 1 from contracts where address = ${contract} for no key update`;
    if (known.length === 0) throw contractNotFound(input.contractAddress);
    const [row] = await tx<EndpointRow[]>`
      with made as (
        insert into webhook_endpoints (contract_address, id, url, events, secret_sealed, created_by)
        select ${contract}::bytea, ${id}::uuid, ${input.url}, ${`{${input.events.join(",")}}`}::text::text[],
          ${sealed}::bytea, ${ctx.actor}
        where (select count(*) from webhook_endpoints where contract_address = ${contract}) < ${ENDPOINTS_MAX}
        returning *
      ), audited as (
        insert into audit_log (actor, action, target, detail, request_id)
        select ${ctx.actor}, 'webhook.create', ${`contract:${input.contractAddress.toLowerCase()}`},
          jsonb_build_object('url', url, 'endpoint', id, 'events', array_to_string(events, ' ')), ${ctx.requestId}
        from made
      )
      select * from made`;
    if (!row) {
      const detail = `The contract has ${ENDPOINTS_MAX} webhooks already; delete one first.`;
      throw new DomainError("validation_failed", detail);
    }
    return { endpoint: toEndpoint(row), secret };
  });
}
