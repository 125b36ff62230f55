import type { Database } from "@/db/client";
import { addressToBytes } from "@/server/kernel/address-bytes";
import { readTransfers, type Transfer } from "@/server/ledger/packed-transfers";
import type { PointType } from "@/terms/batch-terms";
import { formatPoints, shortestPoints, sumPoints } from "@/terms/points";

type PayoutKey = { contractAddress: string; payoutId: string };

/** Of more transfers, a batch that corrects another one replaces all of it. */
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

type PartTransfer = Stored & Transfer & { batch: Part };

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
 * What is cancelled waits for the next that is stored under its key, the earliest cancelled first. Each that
 * is stored replaces one.
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
 * The one rule of who has not been paid (docs/pay-many.md): what was cancelled of a payout, and nothing that
 * was stored afterwards replaces.
 */
export async function readNotPaid(db: Pick<Database, "sql">, key: PayoutKey): Promise<NotPaid[]> {
  const contract = addressToBytes(key.contractAddress);
  const batches = await readBatches(db, contract, key);
  const latest = new Map<number, Part>();
  // In the order of submitting, and a part that is not cancelled wins.
  for (const batch of batches)
    if (batch.part !== null && latest.get(batch.part)?.cancelledAt !== null) latest.set(batch.part, batch);
  const cancelled = batches.filter(
    (batch) => batch.cancelledAt !== null && (batch.part === null || latest.get(batch.part) === batch),
  );
  const { left, spare } = pairUp(cancelled, batches, ({ pointType, content }) => `${pointType} ${content}`);
  const firstCancelled = left.reduce((at, { cancelledAt }) => Math.min(at, cancelledAt!), Number.MAX_VALUE);
  // A part of a file is paid for itself.
  const later = spare.filter(({ storedAt, part }) => storedAt > firstCancelled && part === null);
  const lines = linesOf(batches);
  const lineOf = (batch: Part) => `${batch.pointType} ${lines.get(batch)}`;
  const count = [...left, ...later].reduce((sum, { transferCount }) => sum + transferCount, 0);
  if (later.length === 0 || count > COMPARED_MAX)
    return pairUp(left, later, lineOf).left.map((batch) => ({ ...toNotPaid(batch), addresses: null }));
  const transfers = await readTransfers(db.sql, contract, [...left, ...later]);
  const of = (batches: readonly Part[]): PartTransfer[] =>
    batches.flatMap((batch) => {
      const { seq, storedAt, cancelledAt } = batch;
      return transfers.get(seq)!.map((transfer) => ({ ...transfer, batch, storedAt, cancelledAt }));
    });
  const corrected = pairUp(of(left), of(later), ({ batch, toAddress }) =>
    [lineOf(batch), toAddress].join(" "),
  );
  const { left: rest } = pairUp(corrected.left, corrected.spare, ({ batch, toAddress, points, reference }) =>
    [batch.pointType, reference ?? `${toAddress} ${points}`].join(" "),
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
    addresses: new Set(own.map(({ toAddress }) => toAddress)),
  }));
}

const toNotPaid = ({ seq, id, pointType, points, transferCount }: Part) => ({
  ...{ seq, batchId: id, pointType, transferCount },
  points: shortestPoints(points),
});

/** The ID of the first of the batches that correct each other: `jul.001` of `jul.001-2`. */
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

/** The batches `b` of a payout with their rows `p`, for a FROM. */
export const batchesOf = ({ sql }: Pick<Database, "sql">, { contractAddress, payoutId }: PayoutKey) => {
  const contract = addressToBytes(contractAddress);
  return sql`payout_parts p join batches b on b.contract_address = p.contract_address and b.seq = p.batch_seq
    where p.contract_address = ${contract}
      and b.contract_address = ${contract}
      and p.payout_id = ${payoutId}`;
};

function readBatches(db: Pick<Database, "sql">, contract: Buffer, key: PayoutKey) {
  const { sql } = db;
  return sql<Part[]>`
    select b.seq, b.id, p.part, b.point_type as "pointType", b.points, b.transfer_count as "transferCount",
      encode(b.transfers_hash, 'hex') || case when count(*) over (partition by b.transfers_hash) > 1
        then coalesce((
          select md5(string_agg(r.reference, ' ' order by r.position)) from transfer_references r
          where r.contract_address = ${contract} and r.batch_seq = b.seq
        ), '') else '' end as content,
      (
        select k.corrects_seq from batch_corrections k
        where k.contract_address = ${contract} and k.batch_seq = b.seq
      ) as "correctsSeq",
      ${sql.unsafe(MICROSECONDS("b.created_at"))} as "storedAt",
      ${sql.unsafe(MICROSECONDS("b.cancelled_at"))} as "cancelledAt"
    from ${batchesOf(db, key)}
    order by b.seq`;
}
