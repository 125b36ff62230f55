import type { z } from "zod";
import type { Database } from "@/db/client";
import type { GroupInput, JobItems } from "@/server/batches/change/job-item";
import { findBatch, findTransfers, type StoredBatch } from "@/server/batches/list/get-batch";
import { type PreparedBatch, sha256 } from "@/server/batches/submit/digest";
import { type DryRunRow, dryRunReply, NO_ID, wouldAwait } from "@/server/batches/submit/dry-run-submit";
import { keyRequired } from "@/server/batches/submit/submit-errors";
import type { ReversalDryRunReply, ReverseBatchInput } from "@/server/batches/submit/submit-schema";
import { addressFromBytes, addressToBytes } from "@/server/kernel/address-bytes";
import { type BatchRow, REVERSAL_COLUMNS, toReversalState } from "@/server/kernel/batch-rows";
import type { ServiceContext } from "@/server/kernel/context";
import { invalid, invalidFields } from "@/server/kernel/to-domain-error";
import { balancesOf } from "@/server/ledger/accounts";
import { type PackedTransfers, type Transfer, unpackTransfers } from "@/server/ledger/packed-transfers";
import { withLabels } from "@/server/recipients/labels";
import { addressKey } from "@/terms/address-text";
import type { BatchLimits } from "@/terms/batch-limits";
import type { BatchKey } from "@/terms/batch-schema";
import { canonicalReversalText } from "@/terms/batch-text";
import { formatPoints, parsePoints, parseSum, shortestPoints, sumPoints } from "@/terms/points";
import { DomainError, type FieldError } from "@/terms/problems";

type Paid = Pick<StoredBatch, "contractAddress" | "seq" | "pointType">;

/** By the recipient of a transfer: the reversal that has taken it back, or will. */
export async function findTakenBack({ sql }: Database, { contractAddress: contract, seq }: Paid) {
  const marks = await sql<(BatchRow & { to_address: Buffer })[]>`
    select r.to_address, ${sql.unsafe(REVERSAL_COLUMNS)} from reversed_transfers r
    join batches b on b.contract_address = r.contract_address and b.seq = r.reversal_seq
    where r.contract_address = ${contract} and b.contract_address = ${contract}
      and r.batch_seq = ${seq.toString()}::bigint`;
  return new Map(marks.map((row) => [addressFromBytes(row.to_address), toReversalState(row)]));
}

/** What prevents some transfers of a batch from being taken back. */
async function findObstacles(db: Database, original: Paid, transfers: readonly Transfer[]) {
  const { pointType } = original;
  const addresses = transfers.map(({ toAddress }) => addressToBytes(toAddress));
  const [reversals, balances] = await Promise.all([findTakenBack(db, original), balancesOf(db, addresses)]);
  return {
    reversals,
    /** Recipients with less than they would give up. Wallets never spend, so these are contracts. */
    short: transfers
      .map(({ toAddress, points: needed }) => {
        const { available } = balances(addressToBytes(toAddress))[pointType];
        return { toAddress, available, needed };
      })
      .filter(({ available, needed }) => parsePoints(available) < parsePoints(needed)),
  };
}

/** Nothing if there are no obstacles any more. @throws DomainError `already_reversed`, `recipients_short` */
export async function refuseObstacles(
  db: Database,
  { original, transfers }: Pick<NewReversal, "transfers"> & { original: Paid },
  cause?: unknown,
): Promise<void> {
  const { reversals, short } = await findObstacles(db, original, transfers);
  const reversed = transfers.flatMap(({ toAddress }) => {
    const reversal = reversals.get(toAddress);
    return reversal ? [{ toAddress, ...reversal }] : [];
  });
  if (reversed.length > 0) {
    const named = reversed.map(({ toAddress, id, status }) => `${toAddress} (by ${id}, ${status})`);
    throw new DomainError("already_reversed", `Already taken back, or about to be: ${listed(named)}.`, {
      extra: {
        reversed: reversed.map(({ toAddress, id, status, finalizeAt }) => ({
          toAddress,
          batchId: id,
          batchStatus: status,
          finalizeAt,
        })),
      },
      cause,
    });
  }
  if (short.length > 0) {
    const named = short.map(
      ({ toAddress, available, needed }) =>
        `${toAddress} has ${available} of ${needed} ${original.pointType}`,
    );
    throw new DomainError("recipients_short", `Recipients have too few points available: ${listed(named)}.`, {
      extra: { recipients: short },
      cause,
    });
  }
}

/** Addresses that a message names. The problem's own members have all of them. */
const NAMED_MAX = 3;

function listed(items: readonly string[]): string {
  const rest = items.length - NAMED_MAX;
  return items.slice(0, NAMED_MAX).join(", ") + (rest > 0 ? ` and ${rest} more` : "");
}

export interface PreparedReversal extends Omit<PreparedBatch, "transfersHash"> {
  original: StoredBatch;
  /** The original's transfers that are taken back, in its order, with its amounts. */
  transfers: Transfer[];
}

/** What was taken back of a batch before, and the points of it that its job's preview has counted. */
interface Before {
  taken: string | null;
  weighed: string;
}

export interface NewReversal extends Pick<PreparedReversal, "transfers" | "total" | "digest"> {
  batchId: string;
  original: Pick<StoredBatch, "id" | "seq" | "pointType">;
  /** Why it leaves transfers out that nobody has taken back. */
  left?: "SHORT" | undefined;
}

/**
 * What a job takes back of batches of one point type: all that nobody has taken back. Of a batch that is
 * given alone, it leaves recipients out who have too few points; in a group the database refuses these.
 * @throws DomainError `recipients_short` if nothing would be left
 */
export async function prepareReversals(
  { db }: ServiceContext,
  { contractAddress, batchIds, items, waitSeconds }: GroupInput & { items: JobItems; waitSeconds: number },
): Promise<NewReversal[]> {
  const contract = addressToBytes(contractAddress);
  const originals = await db.sql<(NewReversal["original"] & PackedTransfers & Before)[]>`
    select b.id, b.seq, b.point_type as "pointType", t.addresses, t.points::text as points,
      i.points as weighed, (
      select string_agg(encode(m.to_address, 'hex'), ',')
      from reversed_transfers m
      where m.contract_address = ${contract} and m.batch_seq = b.seq
    ) as taken
    from batches b
      join batch_transfers t on t.contract_address = b.contract_address and t.batch_seq = b.seq
      join bulk_job_items i on i.batch_id = b.id
    where b.contract_address = ${contract}
      and t.contract_address = ${contract}
      and i.job_id = ${items.jobId}
      and i.position = any(${`{${items.positions.join(",")}}`}::text::int[])
      and b.id = any(${batchIds}::text[])
      and b.status = 'FINALIZED'
      and b.reverses_seq is null
    order by b.seq`;
  const reversals: NewReversal[] = [];
  for (const { id, seq, pointType, taken, weighed, ...packed } of originals) {
    const original = { contractAddress: contract, id, seq: BigInt(seq), pointType };
    const before = new Set(taken?.split(","));
    const free = unpackTransfers({ ...packed, references: null }).filter(
      ({ toAddress }) => !before.has(toAddress.slice(2).toLowerCase()),
    );
    // A rule has weighed no more.
    if (sumPoints(free.map(({ points }) => points)) > parseSum(shortestPoints(weighed)))
      throw invalid(
        "A reversal was cancelled: more can be taken back than when it was chosen. Choose it again.",
      );
    const { short } = batchIds.length > 1 ? { short: [] } : await findObstacles(db, original, free);
    const poor = new Set(short.map(({ toAddress }) => toAddress));
    const transfers = free.filter(({ toAddress }) => !poor.has(toAddress));
    if (transfers.length === 0 && free.length > 0) await refuseObstacles(db, { original, transfers: free });
    if (transfers.length === 0) continue;
    const content = { contractAddress, secondsToFinalize: waitSeconds, pointType, transfers };
    const position = items.positions[batchIds.indexOf(id)]!;
    reversals.push({
      batchId: `reversal-${items.jobId}.${position + 1}`,
      original,
      transfers,
      total: formatPoints(sumPoints(transfers.map(({ points }) => points))),
      digest: sha256(canonicalReversalText({ ...content, reverses: id })),
      left: poor.size > 0 ? "SHORT" : undefined,
    });
  }
  return reversals;
}

/** For a FINALIZED batch, which never changes. @throws DomainError `batch_not_finalized` and others */
export async function prepareReversal(
  ctx: ServiceContext,
  limits: BatchLimits,
  input: ReverseBatchInput,
): Promise<PreparedReversal> {
  const original = await findBatch(ctx, input.contractAddress, input.batchId);
  if (original.reversesSeq !== null)
    throw invalidFields([
      { pointer: "/batchId", code: "invalid_value", detail: "is a reversal, which cannot be taken back" },
    ]);
  if (original.status !== "FINALIZED")
    throw new DomainError(
      "batch_not_finalized",
      `The batch is ${original.status}. Only a FINALIZED batch can be taken back.`,
      { extra: { batchStatus: original.status } },
    );
  const transfers = chosen(await findTransfers(ctx, original), input.toAddresses);
  const content = { ...input, reverses: input.batchId, pointType: original.pointType, transfers };
  return {
    original,
    transfers,
    digest: sha256(canonicalReversalText(content)),
    total: formatPoints(sumPoints(transfers.map(({ points }) => points))),
    waitSeconds: input.secondsToFinalize ?? limits.defaultFinalizeSeconds,
  };
}

/** As a contract may require for a submit. @throws DomainError `validation_failed` */
export async function requireReversalId(
  { db }: ServiceContext,
  { contractAddress, reversalId }: ReverseBatchInput,
): Promise<void> {
  if (reversalId !== undefined) return;
  const [contract] = await db.sql<{ required: boolean }[]>`
    select key_required as required from contracts where address = ${addressToBytes(contractAddress)}`;
  if (contract?.required) throw keyRequired("reversalId");
}

function chosen(transfers: Transfer[], addresses: readonly string[] | undefined): Transfer[] {
  if (!addresses) return transfers;
  const paid = new Set(transfers.map(({ toAddress }) => addressKey(toAddress)));
  const wanted = new Set<string>();
  const errors: FieldError[] = [];
  addresses.forEach((address, at) => {
    const key = addressKey(address);
    const pointer = `/toAddresses/${at}`;
    if (!paid.has(key))
      errors.push({ pointer, code: "invalid_value", detail: "is not a recipient of the batch" });
    if (wanted.has(key)) errors.push({ pointer, code: "duplicate_destination", detail: "is listed twice" });
    wanted.add(key);
  });
  if (errors.length > 0) throw invalidFields(errors);
  return transfers.filter(({ toAddress }) => wanted.has(addressKey(toAddress)));
}

/** Why any transfers of a FINALIZED batch cannot be taken back. @throws DomainError as `prepareReversal` */
export async function describeReversible(ctx: ServiceContext, limits: BatchLimits, input: BatchKey) {
  const { original, transfers } = await prepareReversal(ctx, limits, input);
  const { reversals, short } = await findObstacles(ctx.db, original, transfers);
  const available = new Map(short.map((each) => [each.toAddress, each.available]));
  return (await withLabels(ctx.db, transfers)).map((transfer) => ({
    ...transfer,
    reversedBy: reversals.get(transfer.toAddress) ?? null,
    /** What the recipient has, if too little. A row that is taken back already has no other obstacle. */
    available: reversals.has(transfer.toAddress) ? null : (available.get(transfer.toAddress) ?? null),
  }));
}
export type ReversibleTransfer = Awaited<ReturnType<typeof describeReversible>>[number];

/** What a reversal would do now. Stores nothing. @throws DomainError the same as `reverseBatch` */
export async function dryRunReversal(
  ctx: ServiceContext,
  limits: BatchLimits,
  input: ReverseBatchInput,
): Promise<z.output<typeof ReversalDryRunReply>> {
  await requireReversalId(ctx, input);
  const reversal = await prepareReversal(ctx, limits, input);
  const { original, transfers, total, waitSeconds } = reversal;
  const contract = addressToBytes(input.contractAddress);
  const [row] = await ctx.db.sql<[DryRunRow]>`
    select coalesce(b.finalize_at, now() + ${waitSeconds}::int * interval '1 second') as due_at,
      b.digest as stored_digest,
      b.cancelled_at,
      ${wouldAwait(ctx.db, total)} as awaits_approval
    from contracts c
    left join batches b on b.contract_address = ${contract} and b.id = ${input.reversalId ?? NO_ID}::text
    left join approval_rules r on r.contract_address = ${contract}
      and r.point_type = ${original.pointType}::point_type
    where c.address = ${contract}`;
  const content = { ...reversal, pointType: original.pointType, transferCount: transfers.length };
  const reply = dryRunReply(row, { batchId: input.reversalId }, content);
  if (!reply.replayed) await refuseObstacles(ctx.db, reversal);
  return { ...reply, reverses: input.batchId };
}
