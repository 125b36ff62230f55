import type { Fragment } from "postgres";
import { z } from "zod";
import { type Database, within } from "@/db/client";
import type { BatchOutcome } from "@/server/batches/list/listed-rows";
import { batchesOf as batchesOfPayout, readNotPaid } from "@/server/batches/list/not-paid";
import { addressFromBytes, addressToBytes } from "@/server/kernel/address-bytes";
import { seqArray, withTimes } from "@/server/kernel/batch-rows";
import type { ServiceContext } from "@/server/kernel/context";
import { allPages } from "@/server/kernel/cursor";
import { requireContract } from "@/server/ledger/accounts";
import { creationHorizon } from "@/server/ledger/creation-order";
import { readTransfers, type Transfer } from "@/server/ledger/packed-transfers";
import type { PayoutKey } from "@/server/payouts/schema";
import { type BatchOut, ContractInput } from "@/terms/batch-schema";
import { AddressField, BatchIdField, boundAfter, parseInstant, rule, TimestampField } from "@/terms/fields";

export const ExportTransfersInput = z
  .strictObject({
    contractAddress: AddressField,
    /** Which time of a batch must be in the period. `finalized` selects what a statement counts as "sent". */
    by: z.enum(["created", "finalized"]),
    /** Included. */
    from: TimestampField,
    /** Not included. */
    to: TimestampField,
  })
  .refine(({ from, to }) => parseInstant(from)! < parseInstant(to)!, {
    path: ["to"],
    ...rule("out_of_range", "must be after `from`"),
  });
export type ExportTransfersInput = z.output<typeof ExportTransfersInput>;

export interface ExportedTransfers<One = Transfer>
  extends Pick<BatchOut, "pointType" | "status" | "createdAt" | "finalizeAt">,
    Pick<BatchOutcome, "finalizedAt" | "cancelledAt" | "cancelledBy" | "cancelReason"> {
  batchId: string;
  /** On a reversal: the ID of the batch that it takes back, from its recipients to the contract. */
  reverses: string | null;
  submittedBy: string;
  transfers: One[];
}

interface BatchRow extends Omit<ExportedTransfers, "transfers"> {
  seq: string;
  place: string;
  transferCount: number;
}

const PAGE_BATCHES = 500;
/** Transfers that are read together. A single batch may have up to 10,000. */
const READ_TRANSFERS = 20_000;

/** Oldest first. Holds no connection while the reader is slow. @throws DomainError `contract_not_found` */
export async function exportTransfers(
  ctx: ServiceContext,
  input: ExportTransfersInput,
): Promise<AsyncGenerator<ExportedTransfers, void, undefined>> {
  const { sql } = ctx.db;
  const address = addressToBytes(input.contractAddress);
  await requireContract(ctx.db, input.contractAddress);
  // Otherwise a submit that is still in flight could appear behind the export's position, and be missed.
  const horizon = input.by === "created" ? await creationHorizon(ctx.db, address) : "infinity";
  const place = input.by === "created" ? sql`created_at` : sql`finalized_at`;
  const matches = sql`
      ${place} >= ${boundAfter(input.from)}::timestamptz and ${place} < ${boundAfter(input.to)}::timestamptz
      and ${place} < ${horizon}::timestamptz
      ${input.by === "finalized" ? sql`and status = 'FINALIZED'` : sql``}`;
  return batchesOf(ctx, { address, place, matches });
}

/** A transfer of a payout, with the reversal that takes it back, if one does. */
export type PayoutTransfer = Transfer & { row: string; takenBackBy: string | null; isTakenBack: boolean };

/**
 * A transfer for each that is or will be paid, and for each that was cancelled and nothing replaces. Which
 * batches these are is read at one instant: what is cancelled while pages are read keeps its rows.
 */
export async function* exportPayout(
  ctx: ServiceContext,
  key: PayoutKey,
): AsyncGenerator<ExportedTransfers<PayoutTransfer>, void, undefined> {
  const { sql } = ctx.db;
  const address = addressToBytes(key.contractAddress);
  const { notPaid, others } = await sql.begin("isolation level repeatable read read only", async (tx) => {
    const db = within(ctx.db, tx);
    const others = await tx<{ seq: string }[]>`
      select b.seq from ${batchesOfPayout(db, key)} and b.status <> 'CANCELLED'`;
    return { notPaid: await readNotPaid(db, key), others };
  });
  const recipients = new Map(notPaid.map(({ batchId, addresses }) => [batchId, addresses]));
  const matches = sql`seq = any(${seqArray([...notPaid, ...others])}::text::bigint[])`;
  for await (const batches of pagesOf(ctx, { address, place: sql`created_at`, matches })) {
    const reversals = await readReversals(ctx.db, address, batches);
    for (const { seq, ...batch } of batches) {
      const wanted = batch.status === "CANCELLED" ? recipients.get(batch.batchId) : null;
      yield {
        ...batch,
        transfers: batch.transfers.flatMap((transfer, at) => {
          if (wanted && !wanted.has(transfer.toAddress)) return [];
          const reversal = reversals.get(`${seq} ${transfer.toAddress}`) ?? NOT_REVERSED;
          return { ...transfer, ...reversal, row: String(at + 1) };
        }),
      };
    }
  }
}

const NOT_REVERSED = { takenBackBy: null, isTakenBack: false };

/** By the batch's sequence number and the recipient. */
async function readReversals({ sql }: Database, address: Buffer, batches: readonly { seq: string }[]) {
  const rows = await sql<{ seq: string; toAddress: Buffer; id: string; isTakenBack: boolean }[]>`
    select r.batch_seq as seq, r.to_address as "toAddress", b.id, b.status = 'FINALIZED' as "isTakenBack"
    from reversed_transfers r
      join batches b on b.contract_address = r.contract_address and b.seq = r.reversal_seq
    where r.contract_address = ${address} and b.contract_address = ${address}
      and r.batch_seq = any(${seqArray(batches)}::text::bigint[])`;
  return new Map(
    rows.map(({ seq, toAddress, id, isTakenBack }) => [
      `${seq} ${addressFromBytes(toAddress)}`,
      { takenBackBy: id, isTakenBack },
    ]),
  );
}

export const NamedBatchesInput = ContractInput.extend({
  batchIds: z.array(BatchIdField).min(1).max(PAGE_BATCHES),
});

/** Those of the batches that exist, with what they paid and what was taken back: as many as fit a reply. */
export async function readNamed(
  { db }: ServiceContext,
  { contractAddress, batchIds }: z.output<typeof NamedBatchesInput>,
) {
  const address = addressToBytes(contractAddress);
  const matches = db.sql`id = any(${batchIds}::text[])`;
  const rows = await readBatches(db, { address, place: db.sql`created_at`, matches }, null);
  const [part = [], ...others] = partsOf(rows);
  const transfers = await readTransfers(db.sql, address, part);
  const reversals = await readReversals(db, address, part);
  const isTakenBack = (seq: string, address: string) => reversals.get(`${seq} ${address}`)?.isTakenBack;
  return {
    batches: part.map(({ seq, batchId, status, reverses }) => ({
      contractAddress,
      batchId,
      status,
      reverses,
      transfers: transfers
        .get(seq)!
        .map((one) => ({ ...one, ...(isTakenBack(seq, one.toAddress) && { isTakenBack: true }) })),
    })),
    left: others.flat().map(({ batchId }) => batchId),
  };
}

/** The batches of a contract that match, sorted by the time that is their place. */
interface Wanted {
  address: Buffer;
  place: Fragment;
  matches: Fragment;
}

async function* batchesOf(ctx: ServiceContext, wanted: Wanted) {
  for await (const batches of pagesOf(ctx, wanted)) for (const { seq, ...batch } of batches) yield batch;
}

async function* pagesOf(ctx: ServiceContext, wanted: Wanted) {
  const pages = allPages(async (after: BatchRow | null) => {
    const rows = await readBatches(ctx.db, wanted, after);
    return { rows, cursor: rows.length === PAGE_BATCHES ? rows.at(-1)! : null };
  });
  for await (const { rows } of pages)
    for (const part of partsOf(rows)) {
      const transfers = await readTransfers(ctx.db.sql, wanted.address, part);
      yield part.map(({ place: _, transferCount: __, ...row }) => ({
        ...withTimes(row, "createdAt", "finalizeAt", "finalizedAt", "cancelledAt"),
        transfers: transfers.get(row.seq)!,
      }));
    }
}

function readBatches({ sql }: Database, { address, place, matches }: Wanted, after: BatchRow | null) {
  return sql<BatchRow[]>`
    select seq, ${place} as place, id as "batchId",
      case when reverses_seq is not null then (
        select o.id from batches o where o.contract_address = ${address} and o.seq = batches.reverses_seq
      ) end as reverses,
      point_type as "pointType", status, transfer_count as "transferCount",
      created_at as "createdAt", finalize_at as "finalizeAt",
      finalized_at as "finalizedAt", submitted_by as "submittedBy", cancelled_at as "cancelledAt",
      cancelled_by as "cancelledBy", cancel_reason as "cancelReason"
    from batches
    where contract_address = ${address} and ${matches}
      and ${after ? sql`(${place}, seq) > (${after.place}::timestamptz, ${after.seq}::bigint)` : sql`true`}
    order by ${place}, seq limit ${PAGE_BATCHES}`;
}

/** Rows whose transfers are read together. */
function* partsOf(rows: readonly BatchRow[]): Generator<BatchRow[]> {
  let part: BatchRow[] = [];
  let transfers = 0;
  for (const row of rows) {
    if (part.length > 0 && transfers + row.transferCount > READ_TRANSFERS) {
      yield part;
      part = [];
      transfers = 0;
    }
    part.push(row);
    transfers += row.transferCount;
  }
  if (part.length > 0) yield part;
}
