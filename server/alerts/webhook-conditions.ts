import type { ServiceContext } from "../kernel/context";
import { addressFromBytes } from "../kernel/values/addresses";
import type { Condition } from "./kinds";

/** The alert ends after this long, even if nobody has enabled or deleted the endpoint. */
const DAYS_MAX = 7;
export const ENDPOINTS_MAX = 1000;

const REASONS: Record<string, string> = {
  failures: "It failed for 5 days.",
  gone: "It responded with 410 Gone.",
};

/** Webhook endpoints that the service has disabled. Those that staff disabled are meant to be off. */
export async function webhookConditions({ db: { sql } }: ServiceContext): Promise<Condition[]> {
  const rows = await sql<{ address: Buffer; id: string; url: string; reason: string; label: string }[]>`
    select e.contract_address as address, e.id, e.url, e.disabled_reason as reason, c.label
    from webhook_endpoints e join contracts c on c.address = e.contract_address
    where e.disabled_reason in ('failures', 'gone')
      and e.disabled_at > now() - make_interval(days => ${DAYS_MAX}::int)
    order by e.disabled_at desc limit ${ENDPOINTS_MAX}`;
  return rows.map(({ address, id, url, reason, label }) => ({
    kind: "webhook",
    subject: id,
    severity: "warning",
    title: `A webhook of ${label} is disabled`,
    // Only the host: some receivers have a secret in the path.
    remedy: `${REASONS[reason] ?? ""} The endpoint on ${new URL(url).host} receives no events. Operators can enable it on the contract's webhooks page after its receiver is fixed, or delete it.`,
    path: `/contracts/${addressFromBytes(address)}/webhooks`,
  }));
}
