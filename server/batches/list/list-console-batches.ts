import { addressArray, addressFromBytes, distinctAddresses } from "@/server/kernel/address-bytes";
import { type BatchRow, type ListedBatch, toBatchOut, toTimestamp } from "@/server/kernel/batch-rows";
import type { ServiceContext } from "@/server/kernel/context";
import type { BatchKey } from "@/terms/batch-schema";
import { whyUnusual } from "@/terms/finding-text";
import { type BatchReview, startsAlert } from "@/terms/findings";
import type { ConsoleBatch, PayoutOfBatch } from "./console-schema";
import { readReversed } from "./get-batch";
import { type BatchQuery, listBatches } from "./list-batches";
import { LISTED_COLUMNS } from "./listed-rows";
import { readPayouts } from "./read-payouts";

export async function listConsoleBatches(ctx: ServiceContext, query: BatchQuery) {
  const [{ rows, ...page }, now] = await Promise.all([listBatches(ctx, query), databaseNow(ctx)]);
  return { batches: await toConsoleBatches(ctx, rows), ...page, now };
}

/**
 * The current rows for these keys, in one statement with one index lookup per key, one for their payouts, and
 * one more if there is a reversal.
 */
export async function refreshBatches(ctx: ServiceContext, keys: readonly BatchKey[]) {
  const { sql } = ctx.db;
  const addresses = keys.map(({ contractAddress }) => contractAddress.slice(2));
  type Row = ListedBatch & { contractLabel: string; review: BatchReview | null; now: string };
  const rows = await sql<Row[]>`
    with wanted as materialized (
      select distinct decode(contract, 'hex') as contract, id
      from unnest(${addresses}::text[], ${keys.map(({ batchId }) => batchId)}::text[]) as given (contract, id)
    )
    select ${sql.unsafe(LISTED_COLUMNS)}, c.label as "contractLabel", r.findings as review, now() as now
    from wanted w
      join batches on batches.contract_address = w.contract and batches.id = w.id
      join contracts c on c.address = batches.contract_address
      left join batch_reviews r
        on r.contract_address = batches.contract_address and r.batch_seq = batches.seq`;
  const [reversed, payouts] = await Promise.all([readReversed(ctx, rows), readPayoutsOf(ctx, rows)]);
  return {
    batches: rows.map(({ contractLabel, review, ...row }) =>
      toConsoleBatch(row, { contractLabel, flag: flagOf(review) }, reversed, payouts),
    ),
    now: rows[0] ? toTimestamp(rows[0].now) : null,
  };
}

/** The database's clock, which decides what is due, in RFC 3339. */
export async function databaseNow(ctx: ServiceContext): Promise<string> {
  const [row] = await ctx.db.sql<{ now: string | Date }[]>`select now()`;
  return toTimestamp(row!.now);
}

export async function contractLabels(
  ctx: ServiceContext,
  addresses: readonly Buffer[],
): Promise<Map<string, string>> {
  const known = await ctx.db.sql<{ address: Buffer; label: string }[]>`
    select address, label
    from contracts
    where address = any(${addressArray(distinctAddresses(addresses))}::bytea[])`;
  return new Map(known.map((contract) => [addressFromBytes(contract.address), contract.label]));
}

/**
 * Converts rows for the console, with contract labels and stored reviews.
 * @param withPayouts false where their payouts are not shown
 */
export async function toConsoleBatches(
  ctx: ServiceContext,
  rows: StoredRow[],
  withPayouts = true,
): Promise<ConsoleBatch[]> {
  if (rows.length === 0) return [];
  const [labels, reviews, reversed, payouts] = await Promise.all([
    contractLabels(
      ctx,
      rows.map((row) => row.contractAddress),
    ),
    readStoredReviews(ctx, rows),
    readReversed(ctx, rows),
    withPayouts ? readPayoutsOf(ctx, rows) : NO_PAYOUTS,
  ]);
  return rows.map((row) => {
    const contractLabel = labels.get(addressFromBytes(row.contractAddress)) ?? "";
    const review = reviews.get(BigInt(row.seq)) ?? null;
    return toConsoleBatch(row, { contractLabel, flag: flagOf(review) }, reversed, payouts);
  });
}

/** New recipients alone are no flag. */
function flagOf(review: BatchReview | null): ConsoleBatch["flag"] {
  if (!review || !startsAlert(review)) return null;
  return { level: review.level === "alarming" ? "alarming" : "unusual", why: whyUnusual(review) };
}

type StoredRow = BatchRow & { seq: bigint | string };

interface Payouts {
  ofBatches: ReadonlyMap<bigint, PayoutOfBatch>;
  ofReversals: ReadonlyMap<bigint, PayoutOfBatch>;
}
const NO_PAYOUTS: Payouts = { ofBatches: new Map(), ofReversals: new Map() };

async function readPayoutsOf(ctx: ServiceContext, rows: readonly StoredRow[]): Promise<Payouts> {
  const reversals = rows.filter(({ reversesSeq }) => reversesSeq !== null);
  const [ofBatches, ofReversals] = await Promise.all([
    readPayouts(ctx, rows),
    readPayouts(ctx, reversals, "reversals"),
  ]);
  return { ofBatches, ofReversals };
}

/** Converts a row for the console. @param reversed from `readReversed` @param payouts from `readPayoutsOf` */
function toConsoleBatch(
  row: StoredRow,
  { contractLabel, flag }: Pick<ConsoleBatch, "contractLabel" | "flag">,
  reversed: Awaited<ReturnType<typeof readReversed>>,
  payouts: Payouts,
): ConsoleBatch {
  const isPending = row.status === "PENDING";
  return {
    ...toBatchOut(row, reversed),
    contractLabel,
    submittedBy: row.submittedBy,
    heldAt: isPending && row.heldAt ? toTimestamp(row.heldAt) : null,
    holdReason: isPending ? row.holdReason : null,
    heldForPayout: isPending && row.heldForPayout,
    heldApart: isPending && row.heldApart,
    awaitsApproval: isPending && row.awaitsApproval,
    flag,
    payout: payouts.ofBatches.get(BigInt(row.seq)) ?? null,
    takesBack: payouts.ofReversals.get(BigInt(row.seq)) ?? null,
  };
}

/**
 * The stored findings of these batches, by sequence number. Only batches with an unusual finding have an
 * entry.
 */
export async function readStoredReviews(
  { db: { sql } }: ServiceContext,
  batches: readonly { contractAddress: Buffer; seq: bigint | string }[],
): Promise<Map<bigint, BatchReview>> {
  if (batches.length === 0) return new Map();
  const contracts = distinctAddresses(batches.map(({ contractAddress }) => contractAddress));
  const rows = await sql<{ seq: string; findings: BatchReview }[]>`
    select batch_seq as seq, findings
    from batch_reviews
    where contract_address = any(${addressArray(contracts)}::bytea[])
      and batch_seq = any(${`{${batches.map(({ seq }) => seq).join(",")}}`}::text::bigint[])`;
  return new Map(rows.map(({ seq, findings }) => [BigInt(seq), findings]));
}
