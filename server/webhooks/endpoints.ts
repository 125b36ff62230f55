import { createCipheriv, createDecipheriv, hkdfSync, randomBytes, randomUUID } from "node:crypto";
import type { Database } from "@/db/client";
import type { AuditAction } from "@/server/audit/actions";
import { audited, contractTarget } from "@/server/audit/audited";
import { addressToBytes } from "@/server/kernel/address-bytes";
import { toTimestamp, withTimes } from "@/server/kernel/batch-rows";
import type { ServiceContext } from "@/server/kernel/context";
import { invalid, invalidField, invalidFields } from "@/server/kernel/to-domain-error";
import { contractNotFound, requireContract } from "@/server/ledger/accounts";
import type { WebhookEvent } from "@/terms/batch-terms";
import { DomainError } from "@/terms/problems";
import { urlError, type WebhookRules, webhookRules } from "./address-rules";
import { ENDPOINTS_MAX, type EndpointKey, OVERLAP_SECONDS_DEFAULT, type WebhookOut } from "./schema";

/** An endpoint as shown to staff, always without its secret. */
export interface WebhookEndpoint extends WebhookOut {
  /** `staff`: disabled in the console; `failures`: failed for five days; `gone`: responded with 410. */
  disabledReason: "staff" | "failures" | "gone" | null;
  firstDeliveredAt: string | null;
}

export const toWebhookOut = ({ disabledReason: _, firstDeliveredAt: __, ...endpoint }: WebhookEndpoint) =>
  endpoint;

export const endpointNotFound = () =>
  new DomainError(
    "not_found",
    "This contract has no webhook with this ID. List the webhooks to see their IDs.",
  );

/** Oldest first. Creating one enforces the limit. @throws DomainError `contract_not_found` */
export async function listEndpoints(
  ctx: ServiceContext,
  input: { contractAddress: string },
): Promise<WebhookEndpoint[]> {
  const contract = addressToBytes(input.contractAddress);
  const rows = await ctx.db.sql<WebhookEndpoint[]>`
    select ${shownColumns(ctx)} from webhook_endpoints
    where contract_address = ${contract} order by created_at, id`;
  if (rows.length === 0) await requireContract(ctx.db, input.contractAddress);
  return rows.map(toEndpoint);
}

const shownColumns = ({ db: { sql } }: ServiceContext) => sql`
  id, url, events, created_at as "createdAt",
  disabled_at as "disabledAt", disabled_reason as "disabledReason",
  first_delivered_at as "firstDeliveredAt", failing_since as "failingSince",
  case when previous_secret_until > now() then previous_secret_until end as "previousSecretUntil"`;

const toEndpoint = (row: WebhookEndpoint) =>
  withTimes(row, "createdAt", "disabledAt", "firstDeliveredAt", "failingSince", "previousSecretUntil");

export type NewEndpoint = { contractAddress: string; url: string; events: readonly WebhookEvent[] };

/**
 * The URL must be new, or be a repeat, which stores nothing.
 * @returns the secret in the first reply, and in a repeat by the same caller soon after it
 * @throws DomainError `contract_not_found`, `validation_failed`
 */
export async function createEndpoint(
  ctx: ServiceContext,
  input: NewEndpoint,
  rules: WebhookRules = webhookRules(),
) {
  const problem = urlError(input.url, rules.allowPrivate, rules.ports);
  if (problem) throw invalidFields([{ pointer: "/url", code: "invalid_value", detail: problem }]);
  const [id, secret] = [randomUUID(), makeWebhookSecret()];
  const contract = addressToBytes(input.contractAddress);
  const sealed = sealSecret(secret, id, rules.serviceSecret);
  return ctx.db.sql.begin(async (tx) => {
    // The lock makes concurrent callers see each other's endpoints. Submits do not wait for it.
    const known = await tx`select 1 from contracts where address = ${contract} for no key update`;
    if (known.length === 0) throw contractNotFound(input.contractAddress);
    const sameUrl = await tx<SameUrl[]>`
      select ${shownColumns(ctx)}, secret_sealed as seal,
        created_by = ${ctx.actor} and created_at > now() - ${REPEAT_MINUTES}::int * interval '1 minute'
          as "isRecent"
      from webhook_endpoints where contract_address = ${contract} and url = ${input.url}
      order by created_at, id`;
    if (sameUrl.length > 0) return repeated(sameUrl, input, rules);
    const detail = tx`jsonb_build_object('url', url, 'endpoint', id, 'events', array_to_string(events, ' '))`;
    const target = contractTarget(input.contractAddress);
    const [row] = await tx<WebhookEndpoint[]>`
      with made as (
        insert into webhook_endpoints (contract_address, id, url, events, secret_sealed, created_by)
        select ${contract}::bytea, ${id}::uuid, ${input.url}, ${`{${input.events.join(",")}}`}::text::text[],
          ${sealed}::bytea, ${ctx.actor}
        where (select count(*) from webhook_endpoints where contract_address = ${contract}) < ${ENDPOINTS_MAX}
        returning *
      ), ${audited(ctx, { action: "webhook.create", target, detail, of: "made" })}
      select ${shownColumns(ctx)} from made`;
    if (!row)
      throw invalid(
        `The contract already has ${ENDPOINTS_MAX} webhooks, which is the limit. Delete one first.`,
      );
    return { endpoint: toEndpoint(row), secret, replayed: false };
  });
}

/** How long a caller who lost the reply gets the secret again. */
const REPEAT_MINUTES = 10;

type SameUrl = WebhookEndpoint & { seal: Buffer; isRecent: boolean };

/** Earlier versions stored several endpoints with one URL. @throws DomainError `validation_failed` */
function repeated(sameUrl: readonly SameUrl[], { events }: NewEndpoint, { serviceSecret }: WebhookRules) {
  const sorted = (names: readonly string[]) => [...names].sort().join();
  const isSame = (row: SameUrl) => sorted(row.events) === sorted(events);
  const found = sameUrl.find((row) => isSame(row) && !row.disabledAt);
  if (!found) {
    const other = sameUrl.find(isSame) ?? sameUrl[0]!;
    const detail = other.disabledAt
      ? `is already registered, as the webhook ${other.id}, which is disabled: enable it or delete it first`
      : `is already registered with other events, as the webhook ${other.id}: delete it first`;
    throw invalidFields([{ pointer: "/url", code: "invalid_value", detail }]);
  }
  const { seal, isRecent, ...row } = found;
  const secret = isRecent ? openSecret(seal, row.id, serviceSecret) : null;
  return { endpoint: toEndpoint(row), secret, replayed: true };
}

/** As in the console, which always shows a secret. @throws DomainError also where a repeat has none */
export async function createWithSecret(ctx: ServiceContext, input: NewEndpoint) {
  const { endpoint, secret } = await createEndpoint(ctx, input);
  if (secret === null)
    throw invalidField(
      "This URL is already registered with these events. If you lost the secret, rotate it.",
      "/url",
      "is already registered",
    );
  return { endpoint, secret };
}

/** New events are not stored for it; queued deliveries stay queued. @throws DomainError `not_found` */
export const disableEndpoint = (ctx: ServiceContext, key: EndpointKey) => setEndpointDisabled(ctx, key, true);

/** Clears its failures, and sends what is queued. @throws DomainError `not_found` */
export const enableEndpoint = (ctx: ServiceContext, key: EndpointKey) => setEndpointDisabled(ctx, key, false);

async function setEndpointDisabled(ctx: ServiceContext, key: EndpointKey, disable: boolean): Promise<void> {
  const { sql } = ctx.db;
  const contract = addressToBytes(key.contractAddress);
  const action = disable ? "webhook.disable" : "webhook.enable";
  const set = disable
    ? sql`disabled_at = now(), disabled_reason = 'staff'`
    : sql`disabled_at = null, disabled_reason = null,
        failing_since = null, failures = 0, paused_until = null`;
  const [row] = await sql`
    with known as materialized (
      select contract_address, id, url, disabled_at from webhook_endpoints
      where contract_address = ${contract} and id = ${key.webhookId}::uuid for update
    ), changed as (
      update webhook_endpoints e set ${set} from known k
      where e.contract_address = ${contract} and e.contract_address = k.contract_address and e.id = k.id
        and (k.disabled_at is null) = ${disable}::boolean
      returning k.id, k.url
    ), ${auditedEndpoint(ctx, key, action, "changed")}
    select 1 from known`;
  if (!row) throw endpointNotFound();
}

/** Also deletes its secrets; pending deliveries are never sent. @throws DomainError `not_found` */
export async function deleteEndpoint(ctx: ServiceContext, key: EndpointKey): Promise<void> {
  const [row] = await ctx.db.sql`
    with deleted as (
      delete from webhook_endpoints
      where contract_address = ${addressToBytes(key.contractAddress)} and id = ${key.webhookId}::uuid
      returning id, url
    ), ${auditedEndpoint(ctx, key, "webhook.delete", "deleted")}
    select 1 from deleted`;
  if (!row) throw endpointNotFound();
}

const auditedEndpoint = (ctx: ServiceContext, key: EndpointKey, action: AuditAction, of: string) =>
  audited(ctx, {
    action,
    target: contractTarget(key.contractAddress),
    detail: ctx.db.sql`jsonb_build_object('url', url, 'endpoint', id)`,
    of,
  });

/**
 * Creates a new secret for an endpoint, shown only once. Both sign until the overlap ends. An overlap of 0
 * revokes the old one immediately. Any older secret stops signing now. @throws DomainError `not_found`
 */
export async function rotateSecret(
  ctx: ServiceContext,
  input: EndpointKey & { overlapSeconds?: number },
  { serviceSecret }: Pick<WebhookRules, "serviceSecret"> = webhookRules(),
): Promise<{ secret: string; previousSecretUntil: string | null }> {
  const secret = makeWebhookSecret();
  const sealed = sealSecret(secret, input.webhookId.toLowerCase(), serviceSecret);
  const overlapSeconds = input.overlapSeconds ?? OVERLAP_SECONDS_DEFAULT;
  const { sql } = ctx.db;
  const detail = sql`
    jsonb_build_object('url', url, 'endpoint', id, 'overlapSeconds', ${overlapSeconds}::int)`;
  const target = contractTarget(input.contractAddress);
  const [row] = await sql<{ until: string | null }[]>`
    with rotated as (
      update webhook_endpoints set secret_sealed = ${sealed}::bytea,
        previous_secret_sealed = case when ${overlapSeconds}::int > 0 then secret_sealed end,
        previous_secret_until = case when ${overlapSeconds}::int > 0
          then now() + ${overlapSeconds}::int * interval '1 second' end
      where contract_address = ${addressToBytes(input.contractAddress)} and id = ${input.webhookId}::uuid
      returning id, url, previous_secret_until
    ), ${audited(ctx, { action: "webhook.rotate", target, detail, of: "rotated" })}
    select previous_secret_until as until from rotated`;
  if (!row) throw endpointNotFound();
  return { secret, previousSecretUntil: row.until && toTimestamp(row.until) };
}

const NONCE_BYTES = 12;
const TAG_BYTES = 16;
const SECRET_BYTES = 32;
const PREFIX = "whsec_";

/** A new signing secret: `whsec_` and the base64 of 256 random bits (Standard Webhooks). */
export const makeWebhookSecret = () => `${PREFIX}${randomBytes(SECRET_BYTES).toString("base64")}`;

/**
 * Encrypts a signing secret for storage: AES-256-GCM with a key derived from the service's secret and bound
 * to the endpoint. A stolen database cannot sign, nor can another endpoint's row open it.
 */
export function sealSecret(secret: string, endpointId: string, serviceSecret: string): Buffer {
  const nonce = randomBytes(NONCE_BYTES);
  const cipher = createCipheriv("aes-256-gcm", keyOf(serviceSecret), nonce, { authTagLength: TAG_BYTES });
  cipher.setAAD(Buffer.from(endpointId));
  const sealed = Buffer.concat([cipher.update(secret, "utf8"), cipher.final()]);
  return Buffer.concat([nonce, sealed, cipher.getAuthTag()]);
}

/** Decrypts a secret. Null if it was sealed for another endpoint or with another service secret. */
export function openSecret(seal: Buffer, endpointId: string, serviceSecret: string): string | null {
  try {
    const nonce = seal.subarray(0, NONCE_BYTES);
    const decipher = createDecipheriv("aes-256-gcm", keyOf(serviceSecret), nonce, {
      authTagLength: TAG_BYTES,
    });
    decipher.setAAD(Buffer.from(endpointId));
    decipher.setAuthTag(seal.subarray(-TAG_BYTES));
    const text = decipher.update(seal.subarray(NONCE_BYTES, -TAG_BYTES), undefined, "utf8");
    return text + decipher.final("utf8");
  } catch {
    return null;
  }
}

/** Seals anew every secret that only the previous service secret opens. Repeating it is safe. */
export async function resealSecrets(
  { sql }: Database,
  serviceSecret: string,
  previous: string,
): Promise<void> {
  const rows = await sql<{ contract: Buffer; id: string; secret: Buffer; earlier: Buffer | null }[]>`
    select contract_address as contract, id, secret_sealed as secret, previous_secret_sealed as earlier
    from webhook_endpoints`;
  for (const { contract, id, secret, earlier } of rows) {
    const reseal = (seal: Buffer | null) => {
      const opened = seal && openSecret(seal, id, previous);
      return opened ? sealSecret(opened, id, serviceSecret) : null;
    };
    const [again, earlierAgain] = [reseal(secret), reseal(earlier)];
    if (!again && !earlierAgain) continue;
    // Unless the secret was rotated in the meantime.
    await sql`
      update webhook_endpoints set secret_sealed = coalesce(${again}::bytea, secret_sealed),
        previous_secret_sealed = coalesce(${earlierAgain}::bytea, previous_secret_sealed)
      where contract_address = ${contract} and id = ${id}::uuid and secret_sealed = ${secret}::bytea`;
  }
}

const keyOf = (serviceSecret: string) =>
  Buffer.from(hkdfSync("sha256", serviceSecret, "point-transfer-batches", "webhook-secrets", 32));
