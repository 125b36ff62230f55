import { auditTarget } from "@/server/audit/audit-person-change";
import { addressArray, addressFromBytes, addressToBytes } from "@/server/kernel/address-bytes";
import { toTimestamp } from "@/server/kernel/batch-rows";
import type { ServiceContext } from "@/server/kernel/context";

/** The last event after which no unusual batch of an alert could be stopped any more. */
export interface AlertEnd {
  event: "held" | "cancelled" | "finalized";
  at: string;
  by: string | null;
  reason: string | null;
  contractAddress: string;
  batchId: string;
}

interface ClearedAlert {
  id: string;
  /** A batch's or a payout's, as find-conditions.ts writes it. */
  subject: string;
  startedAt: string;
  clearedAt: string;
}

type Event = Pick<AlertEnd, "event" | "at" | "by" | "reason">;
/** Of a batch that is neither cancelled nor finalized, the event is null. */
type BatchRow = { alertId: string; contract: Buffer; batchId: string } & (
  | Event
  | { [_ in keyof Event]: null }
);

/** Of a payout only its latest ones, since there may be any number. */
const PARTS_READ = 1000;

/** By the IDs of the alerts, from the batches and the audit log. One whose batches are gone has none. */
export async function findEnds(
  { db: { sql } }: ServiceContext,
  alerts: readonly ClearedAlert[],
): Promise<Map<string, AlertEnd>> {
  if (alerts.length === 0) return new Map();
  const subjects = alerts.map(({ id, subject }) => {
    const [contract, batchId, payoutId] = subject.split("/");
    return { id, contract: addressToBytes(contract!), batchId: batchId!, payoutId };
  });
  const single = subjects.filter(({ payoutId }) => payoutId === undefined);
  // A query for each, since Citus refuses a LIMIT in a query that runs for each row of a CTE.
  const parts = subjects.flatMap(({ id, contract, payoutId }) =>
    payoutId === undefined
      ? []
      : sql`union all (
          select ${id}::uuid, contract_address, batch_seq from payout_parts
          where contract_address = ${contract} and payout_id = ${payoutId}
          order by batch_seq desc limit ${PARTS_READ}
        )`,
  );
  const rows = await sql<BatchRow[]>`
    with wanted as materialized (
      select * from unnest(${single.map(({ id }) => id)}::uuid[],
        ${addressArray(single.map(({ contract }) => contract))}::bytea[],
        ${single.map(({ batchId }) => batchId)}::text[]) as given (alert_id, contract, batch_id)
    ), parts as materialized (
      select null::uuid as alert_id, null::bytea as contract_address, null::bigint as batch_seq where false
      ${parts.length > 0 ? parts : sql``}
    ), found as materialized (
      select w.alert_id, b.contract_address, b.seq
      from wanted w join batches b on b.contract_address = w.contract and b.id = w.batch_id
      union all
      select p.alert_id, r.contract_address, r.batch_seq
      from parts p join batch_reviews r
        on r.contract_address = p.contract_address and r.batch_seq = p.batch_seq
    )
    select f.alert_id as "alertId", b.contract_address as contract, b.id as "batchId",
      case b.status when 'CANCELLED' then 'cancelled' when 'FINALIZED' then 'finalized' end as event,
      coalesce(b.cancelled_at, b.finalized_at) as at, b.cancelled_by as by, b.cancel_reason as reason
    from found f join batches b on b.contract_address = f.contract_address and b.seq = f.seq`;
  const batches = rows.map(({ contract, batchId, ...row }) => {
    const batch = { contractAddress: addressFromBytes(contract), batchId };
    return { ...row, batch, target: auditTarget(batch) };
  });
  // A batch has no trace of past holds.
  const holds = await sql<(Event & { target: string })[]>`
    select target, 'held' as event, at, actor as by, detail ->> 'reason' as reason from audit_log
    where target = any(${batches.map(({ target }) => target)}::text[]) and action = 'batch.hold'`;
  const holdsOf = new Map<string, Event[]>();
  for (const { target, ...hold } of holds) holdsOf.set(target, [...(holdsOf.get(target) ?? []), hold]);
  const endsOf = ({ batch, target, alertId: _, ...row }: (typeof batches)[number]): AlertEnd[] => {
    const events: Event[] = [...(row.event ? [row] : []), ...(holdsOf.get(target) ?? [])];
    return events.map(({ event, at, by, reason }) => ({ event, at: toTimestamp(at), by, reason, ...batch }));
  };
  return new Map(
    alerts.flatMap((alert): [string, AlertEnd][] => {
      const end = lastOf(batches.filter(({ alertId }) => alertId === alert.id).flatMap(endsOf), alert);
      return end ? [[alert.id, end]] : [];
    }),
  );
}

/** Or the first one afterwards: a claim ends the alert of a batch that is finalized later. */
function lastOf(ends: readonly AlertEnd[], { startedAt, clearedAt }: ClearedAlert): AlertEnd | undefined {
  const inOrder = ends
    .filter(({ at }) => at >= startedAt)
    .toSorted((one, other) => (one.at < other.at ? -1 : 1));
  return inOrder.findLast(({ at }) => at <= clearedAt) ?? inOrder[0];
}
