import { randomUUID } from "node:crypto";
import { audited, contractTarget } from "../audit/audited";
import type { ServiceContext } from "../kernel/context";
import type { WebhookEvent } from "../kernel/outbox/events";
import { addressToBytes } from "../kernel/values/addresses";
import { toTimestamp } from "../kernel/values/batch-rows";
import { DomainError } from "../kernel/values/problems";
import { contractNotFound } from "../ledger/contract-not-found";
import { urlError } from "./address-rules";
import { ENDPOINTS_MAX } from "./bounds";
import type { WebhookEndpoint } from "./endpoint-rows";
import { makeWebhookSecret, sealSecret } from "./seal-secret";

export interface NewEndpoint {
  contractAddress: string;
  url: string;
  events: readonly WebhookEvent[];
}

export interface WebhookRules {
  /** Encrypts the signing secrets. */
  serviceSecret: string;
  allowPrivate: boolean;
  /** Ports of `https` URLs; 443 by default. */
  ports?: readonly number[];
}

/**
 * Registers an endpoint, which receives events from now on. Only this reply contains its secret.
 * @throws DomainError `contract_not_found`, `validation_failed`
 */
export async function createEndpoint(
  ctx: ServiceContext,
  input: NewEndpoint,
  rules: WebhookRules,
): Promise<{ endpoint: WebhookEndpoint; secret: string }> {
  const problem = urlError(input.url, rules.allowPrivate, rules.ports);
  if (problem) {
    throw new DomainError("validation_failed", "The webhook URL is invalid.", {
      errors: [{ pointer: "/url", code: "invalid_value", detail: problem }],
    });
  }
  const [id, secret] = [randomUUID(), makeWebhookSecret()];
  const contract = addressToBytes(input.contractAddress);
  const sealed = sealSecret(secret, id, rules.serviceSecret);
  return ctx.db.sql.begin(async (tx) => {
    // The lock makes concurrent callers count each other's endpoints. Submits do not wait for it.
    const known = await tx`select 1 from contracts where address = ${contract} for no key update`;
    if (known.length === 0) throw contractNotFound(input.contractAddress);
    const detail = tx`jsonb_build_object('url', url, 'endpoint', id, 'events', array_to_string(events, ' '))`;
    const [row] = await tx<{ created_at: string }[]>`
      with made as (
        insert into webhook_endpoints (contract_address, id, url, events, secret_sealed, created_by)
        select ${contract}::bytea, ${id}::uuid, ${input.url}, ${`{${input.events.join(",")}}`}::text::text[],
          ${sealed}::bytea, ${ctx.actor}
        where (select count(*) from webhook_endpoints where contract_address = ${contract}) < ${ENDPOINTS_MAX}
        returning *
      ), ${audited(ctx, { action: "webhook.create", target: contractTarget(input.contractAddress), detail, of: "made" })}
      select created_at from made`;
    if (!row)
      throw new DomainError(
        "validation_failed",
        `The contract already has ${ENDPOINTS_MAX} webhooks, which is the limit. Delete one first.`,
      );
    const endpoint: WebhookEndpoint = {
      id,
      url: input.url,
      events: [...input.events],
      createdAt: toTimestamp(row.created_at),
      disabledAt: null,
      disabledReason: null,
      firstDeliveredAt: null,
      failingSince: null,
      previousSecretUntil: null,
    };
    return { endpoint, secret };
  });
}
