import type { Database } from "@/db/client";
import { addressFromBytes, addressToBytes } from "@/server/kernel/address-bytes";
import { PACKED_COLUMNS, unpacked } from "@/server/ledger/packed-transfers";
import type { PointType } from "@/terms/batch-terms";
import { formatPoints, shortestPoints, sumPoints } from "@/terms/points";

/** Of more cancelled transfers, only whole batches are compared. */
const COMPARED_MAX = 100_000;

/** A batch or a transfer, when it was stored and when it was cancelled, if it was. In microseconds. */
export interface Stored {
  storedAt: number;
  cancelledAt: number | null;
}

interface Part extends Stored {
  seq: string;
  id: string;
  part: number | null;
  pointType: PointType;
  points: string;
  transferCount: number;
  /** The same for batches with the same recipients, amounts and references. */
  content: string;
  correctsSeq: string | null;
}

interface PartTransfer extends Stored {
  batch: Part;
  toAddress: Buffer;
  points: string;
  reference: string | null;
}

/** What of a cancelled batch nothing replaces. */
export interface NotPaid {
  seq: string;
  batchId: string;
  pointType: PointType;
  points: string;
  transferCount: number;
  /** Its recipients; null for all of the batch. */
  addresses: ReadonlySet<string> | null;
}

/**
 * What is cancelled waits for the next that is stored under its key, the earliest cancelled first. Each that is
 * stored replaces one.
 * @returns what nothing replaces, and what replaces nothing
 */
export function pairUp<Item extends Stored>(
  cancelled: readonly Item[],
  stored: readonly Item[],
  keyOf: (item: Item) => string,
): { left: Item[]; spare: Item[] } {
  const events = [
    ...cancelled.map((item) => ({ item, at: item.cancelledAt!, isCancel: true })),
    ...stored.map((item) => ({ item, at: item.storedAt, isCancel: false })),
  ].sort((one, other) => one.at - other.at);
  const waiting = new Map<string, Set<Item>>();
  const spare: Item[] = [];
  for (const { item, isCancel } of events) {
    const key = keyOf(item);
    const items = waiting.get(key) ?? new Set();
    waiting.set(key, items);
    const [first] = items;
    if (isCancel) items.add(item);
    else if (first) items.delete(first);
    else spare.push(item);
  }
  return { left: [...waiting.values()].flatMap((items) => [...items]), spare };
}

/**
 * The one rule of who has not been paid (docs/pay-many.md): what was cancelled of a payout, and nothing that was
 * stored afterwards replaces.
 */
export async function readNotPaid(
  db: Pick<Database, "sql">,
  { contractAddress, payoutId }: { contractAddress: string; payoutId: string },
): Promise<NotPaid[]> {
  const contract = addressToBytes(contractAddress);
  const batches = await readBatches(db, contract, payoutId);
  const latest = new Map<number, Part>();
  // In the order of submitting, and a part that is not cancelled wins.
  for (const batch of batches)
    if (batch.part !== null && latest.get(batch.part)?.cancelledAt !== null) latest.set(batch.part, batch);
  const cancelled = batches.filter(
    (batch) => batch.cancelledAt !== null && (batch.part === null || latest.get(batch.part) === batch),
  );
  const { left, spare } = pairUp(cancelled, batches, ({ pointType, content }) => `${pointType} ${content}`);
  const firstCancelled = Math.min(...left.map(({ cancelledAt }) => cancelledAt!));
  const later = spare.filter(({ storedAt }) => storedAt > firstCancelled);
  const count = left.reduce((sum, { transferCount }) => sum + transferCount, 0);
  if (later.length === 0 || count > COMPARED_MAX)
    return left.map((batch) => ({ ...toNotPaid(batch), addresses: null }));
  const transfers = await readTransfers(db, contract, left, later);
  const of = (given: ReadonlySet<Part>) => transfers.filter(({ batch }) => given.has(batch));
  const lines = linesOf(batches);
  const corrected = pairUp(of(new Set(left)), of(new Set(later)), ({ batch, toAddress }) =>
    [batch.pointType, lines.get(batch), toAddress.toString("hex")].join(" "),
  );
  const { left: rest } = pairUp(corrected.left, corrected.spare, ({ batch, toAddress, points, reference }) =>
    [batch.pointType, reference ?? toAddress.toString("hex"), reference === null && points].join(" "),
  );
  const byBatch = new Map<Part, PartTransfer[]>();
  for (const transfer of rest) {
    const own = byBatch.get(transfer.batch) ?? [];
    own.push(transfer);
    byBatch.set(transfer.batch, own);
  }
  return [...byBatch].map(([batch, own]) => ({
    ...toNotPaid(batch),
    points: formatPoints(sumPoints(own.map(({ points }) => points))),
    transferCount: own.length,
    addresses: new Set(own.map(({ toAddress }) => addressFromBytes(toAddress))),
  }));
}

const toNotPaid = ({ seq, id, pointType, points, transferCount }: Part) => ({
  ...{ seq, batchId: id, pointType, transferCount },
  points: shortestPoints(points),
});

/** The first of the batches that correct each other, by ID: `jul.001` of `jul.001-2` and of its correction. */
function linesOf(batches: readonly Part[]): Map<Part, string> {
  const bySeq = new Map(batches.map((batch) => [batch.seq, batch]));
  const byId = new Map(batches.map((batch) => [batch.id, batch]));
  const lines = new Map<Part, string>();
  for (const batch of batches) {
    const first = batch.id.replace(/(\.\d{3,})-\d+$/, "$1");
    const before = batch.correctsSeq === null ? byId.get(first) : bySeq.get(batch.correctsSeq);
    lines.set(batch, (before && lines.get(before)) ?? first);
  }
  return lines;
}

const MICROSECONDS = (column: string) => `(extract(epoch from ${column}) * 1000000)::float8`;

function readBatches({ sql }: Pick<Database, "sql">, contract: Buffer, payoutId: string) {
  return sql<Part[]>`
    select b.seq, b.id, p.part, b.point_type as "pointType", b.points, b.transfer_count as "transferCount",
      encode(b.transfers_hash, 'hex') || case when count(*) over (partition by b.transfers_hash) > 1
        then coalesce((
          select md5(string_agg(r.reference, ' ' order by r.position)) from transfer_references r
          where r.contract_address = ${contract} and r.batch_seq = b.seq
        ), '') else '' end as content,
      k.corrects_seq as "correctsSeq",
      ${sql.unsafe(MICROSECONDS("b.created_at"))} as "storedAt",
      ${sql.unsafe(MICROSECONDS("b.cancelled_at"))} as "cancelledAt"
    from payout_parts p
      join batches b on b.contract_address = p.contract_address and b.seq = p.batch_seq
      left join batch_corrections k on k.contract_address = b.contract_address and k.batch_seq = b.seq
    where p.contract_address = ${contract} and b.contract_address = ${contract} and p.payout_id = ${payoutId}
    order by b.seq`;
}

/** Those of `left`, and of `later` those that could replace one of them. */
async function readTransfers(
  { sql }: Pick<Database, "sql">,
  contract: Buffer,
  left: readonly Part[],
  later: readonly Part[],
): Promise<PartTransfer[]> {
  const seqs = (batches: readonly Part[]) => `{${batches.map(({ seq }) => seq).join(",")}}`;
  const bySeq = new Map([...left, ...later].map((batch) => [batch.seq, batch]));
  const rows = await sql<{ seq: string; toAddress: Buffer; points: string; reference: string | null }[]>`
    with packed as materialized (
      select ${sql.unsafe(PACKED_COLUMNS)} from batch_transfers t
      where t.contract_address = ${contract}
        and t.batch_seq = any(${seqs([...bySeq.values()])}::text::bigint[])
    ), rows as materialized (
      select u.*, r.reference
      from (${unpacked(sql, "packed", "p.batch_seq")}) as u
        left join transfer_references r on r.contract_address = ${contract}
          and r.batch_seq = u.batch_seq and r.position = u.position
    ), waiting as materialized (
      select * from rows where batch_seq = any(${seqs(left)}::text::bigint[])
    )
    select batch_seq as seq, to_address as "toAddress", trim_scale(points)::text as points, reference
    from rows
    where batch_seq = any(${seqs(left)}::text::bigint[])
      or to_address in (select to_address from waiting)
      or reference in (select reference from waiting where reference is not null)`;
  return rows.map(({ seq, ...row }) => {
    const batch = bySeq.get(seq)!;
    return { ...row, batch, storedAt: batch.storedAt, cancelledAt: batch.cancelledAt };
  });
}
