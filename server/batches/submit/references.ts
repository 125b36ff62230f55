import type { Sql } from "postgres";
import { within } from "@/db/client";
import { addressFromBytes, addressToBytes } from "@/server/kernel/address-bytes";
import type { ServiceContext } from "@/server/kernel/context";
import { invalidFields } from "@/server/kernel/to-domain-error";
import { PAYMENTS_MAX, type PaymentOfReference } from "@/terms/batch-schema";
import type { BatchStatus } from "@/terms/batch-terms";
import { shortestPoints } from "@/terms/points";
import type { SubmitBatchInput } from "./submit-schema";

/** A row with a reference, by its place in the batch. */
type Named = { position: number; reference: string };

function namedRows({ transfers }: SubmitBatchInput): Named[] {
  const rows: Named[] = [];
  for (const [position, { reference }] of transfers.entries())
    if (reference) rows.push({ position, reference });
  return rows;
}

/**
 * Stores a batch together with its references, or neither.
 * @param inTransaction without it, a batch without references is stored by a single statement
 * @param store stores the batch. @returns whether it is new
 * @throws DomainError `reference_already_paid`
 */
export async function storeWithReferences(
  ctx: ServiceContext,
  input: SubmitBatchInput,
  batchId: string,
  inTransaction: boolean,
  store: (on: ServiceContext) => Promise<boolean>,
): Promise<boolean> {
  const rows = namedRows(input);
  if (rows.length === 0 && !inTransaction) return await store(ctx);
  return await ctx.db.sql.begin(async (tx) => {
    const on = { ...ctx, db: within(ctx.db, tx) };
    const isNew = await store(on);
    if (isNew && rows.length > 0) await claimReferences(on, input, batchId, rows);
    return isNew;
  });
}

/** Inserts and frees rows in the order of their references, so that concurrent submits do not deadlock. */
async function claimReferences(
  { db: { sql } }: ServiceContext,
  { contractAddress }: SubmitBatchInput,
  batchId: string,
  rows: readonly Named[],
): Promise<void> {
  const contract = addressToBytes(contractAddress);
  for (let claimed = 0; ; ) {
    const inserted = await sql`
      insert into transfer_references (contract_address, batch_seq, position, reference)
      select b.contract_address, b.seq, given.position, given.reference
      from batches b, unnest(
          ${rows.map(({ position }) => position)}::int[],
          ${rows.map(({ reference }) => reference)}::text[]
        ) as given (position, reference)
      where b.contract_address = ${contract} and b.id = ${batchId}
      order by given.reference collate "C"
      on conflict do nothing returning 1`;
    claimed += inserted.length;
    if (claimed === rows.length) return;
    const paid = await findPaid(sql, contract, rows, batchId);
    if (paid.length === 0) throw new Error("A reference is in two rows of a batch.");
    refuseKept(paid, rows);
    await sql`
      with old as materialized (
        select batch_seq, position
        from transfer_references
        where contract_address = ${contract}
          and is_live
          and reference = any(${paid.map(({ reference }) => reference)}::text[])
          and batch_seq = any(${paid.map(({ seq }) => seq)}::bigint[])
        order by reference
        for update
      )
      update transfer_references r set is_live = false
      from old
      where r.contract_address = ${contract} and r.batch_seq = old.batch_seq and r.position = old.position`;
  }
}

/** For a batch that is not stored. @throws DomainError `reference_already_paid` */
export async function refusePaid({ db: { sql } }: ServiceContext, input: SubmitBatchInput): Promise<void> {
  const rows = namedRows(input);
  if (rows.length === 0) return;
  refuseKept(await findPaid(sql, addressToBytes(input.contractAddress), rows, input.batchId ?? ""), rows);
}

interface Paid extends Named {
  seq: string;
  id: string;
  status: BatchStatus;
  /** It can be paid again. That is final, since neither a cancel nor a finalized reversal is undone. */
  isFree: boolean;
}

/** Where these references are live in other batches. */
const findPaid = (sql: Sql, contract: Buffer, rows: readonly Named[], batchId: string) => sql<Paid[]>`
  select
    r.reference,
    r.position,
    b.seq,
    b.id,
    b.status,
    b.status = 'CANCELLED' or ${isTakenBack(sql, contract)} as "isFree"
  from transfer_references r
    join batches b on b.contract_address = ${contract} and b.seq = r.batch_seq
    join batch_transfers t on t.contract_address = ${contract} and t.batch_seq = r.batch_seq
  where r.contract_address = ${contract}
    and r.is_live
    and r.reference = any(${rows.map(({ reference }) => reference)}::text[])
    and b.id <> ${batchId}`;

/** Whether a FINALIZED reversal took back the transfer of reference `r` in batch `b` with transfers `t`. */
const isTakenBack = (sql: Sql, contract: Buffer) => sql`(b.status = 'FINALIZED' and exists (
    select 1
    from reversed_transfers m
      join batches v on v.contract_address = ${contract} and v.seq = m.reversal_seq
    where m.contract_address = ${contract}
      and m.batch_seq = b.seq
      and v.status = 'FINALIZED'
      and m.to_address = substring(t.addresses from r.position * 20 + 1 for 20)
  ))`;

/** @throws DomainError `reference_already_paid` unless all are free */
function refuseKept(paid: readonly Paid[], rows: readonly Named[]): void {
  const kept = new Map(paid.filter(({ isFree }) => !isFree).map((each) => [each.reference, each]));
  const errors = rows.flatMap(({ position: row, reference }) => {
    const { id: batchId, status: batchStatus, position } = kept.get(reference) ?? {};
    if (batchId === undefined) return [];
    const payment = `/transfers/${position} of the batch ${batchId}, which is ${batchStatus}`;
    return {
      pointer: `/transfers/${row}/reference`,
      code: "reference_already_paid" as const,
      detail: `is already paid by ${payment}`,
      reference,
      batchId,
      batchStatus,
      position,
    };
  });
  if (errors.length > 0) throw invalidFields(errors, { code: "reference_already_paid" });
}

interface PaymentRow extends Omit<PaymentOfReference, "toAddress" | "takenBack"> {
  toAddress: Buffer;
  isTakenBack: boolean;
}

/** The transfers of a contract that pay a reference or once did, newest first. */
export async function listPayments(
  { db: { sql } }: Pick<ServiceContext, "db">,
  { contractAddress, reference }: { contractAddress: string; reference: string },
) {
  const contract = addressToBytes(contractAddress);
  const named = sql`select batch_seq, position from transfer_references
    where contract_address = ${contract} and reference = ${reference}`;
  const payments = await sql<PaymentRow[]>`
    select
      b.id as "batchId",
      r.position,
      substring(t.addresses from r.position * 20 + 1 for 20) as "toAddress",
      b.point_type as "pointType",
      t.points[r.position + 1] as points,
      b.status,
      ${isTakenBack(sql, contract)} as "isTakenBack"
    from (${named} and is_live union all ${named} and not is_live) as r
      join batches b on b.contract_address = ${contract} and b.seq = r.batch_seq
      join batch_transfers t on t.contract_address = ${contract} and t.batch_seq = r.batch_seq
    order by b.seq desc
    limit ${PAYMENTS_MAX}`;
  return payments.map(({ toAddress, points, isTakenBack, ...payment }) => ({
    ...payment,
    toAddress: addressFromBytes(toAddress),
    points: shortestPoints(points),
    ...(isTakenBack && { takenBack: true as const }),
  }));
}
