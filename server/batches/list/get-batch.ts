import { and, eq } from "drizzle-orm";
import { batches } from "@/db/schema/batches";
import { auditTarget } from "@/server/audit/audit-person-change";
import { addressToBytes } from "@/server/kernel/address-bytes";
import { ofBatches, REVERSAL_COLUMNS, toReversalState, withTimes } from "@/server/kernel/batch-rows";
import type { ServiceContext } from "@/server/kernel/context";
import { invalid } from "@/server/kernel/to-domain-error";
import { readTransfers, type Transfer } from "@/server/ledger/packed-transfers";
import type { Metadata } from "@/terms/batch-terms";
import { shortestPoints } from "@/terms/points";
import { DomainError } from "@/terms/problems";
import type { ReversalOf } from "./console-schema";

export type StoredBatch = typeof batches.$inferSelect;

/** One batch of a contract. @throws DomainError `batch_not_found` */
export async function findBatch(
  ctx: ServiceContext,
  contractAddress: string,
  batchId: string,
): Promise<StoredBatch> {
  const [row] = await ctx.db.orm
    .select()
    .from(batches)
    .where(and(eq(batches.contractAddress, addressToBytes(contractAddress)), eq(batches.id, batchId)))
    .limit(1)
    .prepare("batch")
    .execute();
  if (!row) throw new DomainError("batch_not_found", `The contract has no batch ${batchId}.`);
  return row;
}

export async function findTransfers(
  ctx: Pick<ServiceContext, "db">,
  batch: { contractAddress: Buffer; seq: bigint },
): Promise<Transfer[]> {
  const found = await readTransfers(ctx.db.sql, batch.contractAddress, [batch]);
  return found.get(String(batch.seq))!;
}

const CORRECTED_BY_MAX = 20;

type Reader = Pick<ServiceContext, "db">;
type Key = Pick<StoredBatch, "contractAddress" | "seq">;

/** ID of the cancelled batch that a batch replaces. */
export const findCorrected = async (ctx: Reader, key: Key): Promise<string | null> =>
  (await findLinked(ctx, key, "batch_seq", "corrects_seq"))[0] ?? null;

/** IDs of the batches that replace a cancelled one, the latest first. */
export const findCorrections = (ctx: Reader, key: Key): Promise<string[]> =>
  findLinked(ctx, key, "corrects_seq", "batch_seq");

type Side = "batch_seq" | "corrects_seq";

async function findLinked({ db: { sql } }: Reader, { contractAddress, seq }: Key, from: Side, to: Side) {
  const linked = await sql<{ id: string }[]>`
    select b.id from batch_corrections k join batches b on b.seq = k.${sql(to)}
    where k.contract_address = ${contractAddress} and b.contract_address = ${contractAddress}
      and k.${sql(from)} = ${seq.toString()}::bigint
    order by k.batch_seq desc limit ${CORRECTED_BY_MAX}`;
  return linked.map(({ id }) => id);
}

interface Place {
  id: string;
  part: number;
  partCount: number;
  fileName: string;
  readAs?: string | undefined;
}

interface Correcting {
  contractAddress: string;
  corrects?: string | undefined;
  payout?: Place | undefined;
}

/**
 * Refuses a correction of a batch that is not cancelled. A cancelled batch stays cancelled, so nothing
 * changes between this check and the submit.
 * @returns the input: without a payout of its own, it joins that of the batch that it corrects, and takes the
 * place of a part that was cancelled while it waited, so that it waits too
 * @throws DomainError `batch_not_found` when the contract has no such batch, `validation_failed` when it is
 * not cancelled
 */
export async function requireCancelled<Input extends Correcting>(
  ctx: ServiceContext,
  input: Input,
): Promise<Input> {
  const { contractAddress, corrects } = input;
  if (corrects === undefined) return input;
  const batch = await findBatch(ctx, contractAddress, corrects);
  const { status, reversesSeq } = batch;
  if (reversesSeq !== null)
    throw invalid(
      `The batch ${corrects} is a reversal. Sending its transfers would pay them. ` +
        "Take the batch back again instead.",
    );
  if (status !== "CANCELLED")
    throw invalid(`The batch ${corrects} is ${status}. Only a cancelled batch can be corrected.`);
  if (input.payout) return input;
  const place = await findPlace(ctx, batch);
  return batch.heldForPayout ? { ...input, payout: place } : { ...input, payoutId: place?.id };
}

/** The most transfers of a batch. Each reversal takes back at least one. */
const REVERSED_BY_MAX = 10_000;

/** IDs of the batches that the reversals among these take back, by the original's sequence number. */
export async function readReversed(
  { db: { sql } }: Reader,
  rows: readonly { contractAddress: Buffer; reversesSeq: bigint | string | null }[],
): Promise<Map<bigint, string>> {
  const reversed = rows.flatMap(({ contractAddress, reversesSeq: seq }) =>
    seq === null ? [] : [{ contractAddress, seq }],
  );
  if (reversed.length === 0) return new Map();
  const originals = await sql<{ seq: string; id: string }[]>`
    select seq, id from batches where ${ofBatches(sql, "batches", "seq", reversed)}`;
  return new Map(originals.map(({ seq, id }) => [BigInt(seq), id]));
}

/** The metadata of these batches, by sequence number. Batches without any have no entry. */
export async function readMetadata(
  { db: { sql } }: Reader,
  batches: readonly { contractAddress: Buffer; seq: bigint | string }[],
): Promise<Map<bigint, Metadata>> {
  if (batches.length === 0) return new Map();
  const rows = await sql<{ seq: string; metadata: Metadata }[]>`
    select batch_seq as seq, json_object_agg(key, value order by key) as metadata from batch_metadata
    where ${ofBatches(sql, "batch_metadata", "batch_seq", batches)}
    group by batch_seq`;
  return new Map(rows.map(({ seq, metadata }) => [BigInt(seq), metadata]));
}

/** The payout that the batch is part of. Batches of `/v1` have no place in a file. */
async function findPlace({ db: { sql } }: Reader, batch: Key): Promise<Place | undefined> {
  const [row] = await sql<(Omit<Place, "readAs"> & { readAs: string | null })[]>`
    select payout_id as id, part, part_count as "partCount", file_name as "fileName", read_as as "readAs"
    from payout_parts
    where contract_address = ${batch.contractAddress} and batch_seq = ${batch.seq.toString()}::bigint`;
  return row && { ...row, readAs: row.readAs ?? undefined };
}

/** The list that these are parts of, as of the latest submit. Only the audit log may have it. */
export async function findList({ db: { sql } }: Reader, given: Correcting, parts: { id: string }[]) {
  const targets = parts.map(({ id }) => auditTarget({ ...given, batchId: id }));
  const [row] = await sql<{ listPoints: string | null; listDigest: string | null }[]>`
    select detail->>'listPoints' as "listPoints", detail->>'listDigest' as "listDigest" from audit_log
    where target = any(${targets}::text[]) and action = 'batch.submit' and detail ? 'listPoints'
    order by id desc limit 1`;
  return row ?? { listPoints: null, listDigest: null };
}

export const findPayoutId = async (ctx: Reader, batch: Key): Promise<string | undefined> =>
  (await findPlace(ctx, batch))?.id;

/**
 * The reversals of a batch, oldest first, with those that were cancelled at the end. Only a FINALIZED batch
 * has any.
 */
export async function findReversals(
  { db: { sql } }: Reader,
  { contractAddress: contract, seq, status }: Pick<StoredBatch, "contractAddress" | "seq" | "status">,
): Promise<ReversalOf[]> {
  if (status !== "FINALIZED") return [];
  const rows = await sql<ReversalOf[]>`
    select ${sql.unsafe(REVERSAL_COLUMNS)}, b.points, b.transfer_count as "transferCount", b.created_at as at,
      b.submitted_by as by, b.submit_request_id as "requestId", b.reversal_reason as reason
    from batches b
    where b.contract_address = ${contract} and b.reverses_seq = ${seq.toString()}::bigint
    order by b.status = 'CANCELLED', b.seq limit ${REVERSED_BY_MAX}`;
  return rows.map((row) => ({
    ...withTimes(row, "at"),
    ...toReversalState(row),
    points: shortestPoints(row.points),
  }));
}
