import type { ServiceContext } from "../../kernel/context";
import { addressArray, distinctAddresses } from "../../kernel/values/addresses";
import { type BatchRow, REVERSAL_COLUMNS, toReversalState } from "../../kernel/values/batch-rows";
import { shortestPoints } from "../../kernel/values/points";
import type { ReversalOf } from "./console-schema";
import type { StoredBatch } from "./get-batch";

/** The most transfers of a batch. Each reversal takes back at least one. */
const REVERSED_BY_MAX = 10_000;

type Reader = Pick<ServiceContext, "db">;

/** IDs of the batches that the reversals among these take back, by the original's sequence number. */
export async function readReversed(
  { db: { sql } }: Reader,
  rows: readonly { contractAddress: Buffer; reversesSeq: bigint | string | null }[],
): Promise<Map<bigint, string>> {
  const reversals = rows.filter(({ reversesSeq }) => reversesSeq !== null);
  if (reversals.length === 0) return new Map();
  const contracts = distinctAddresses(reversals.map(({ contractAddress }) => contractAddress));
  const originals = await sql<{ seq: string; id: string }[]>`
    select seq, id from batches
    where contract_address = any(${addressArray(contracts)}::bytea[])
      and seq = any(${`{${reversals.map(({ reversesSeq }) => reversesSeq).join(",")}}`}::text::bigint[])`;
  return new Map(originals.map(({ seq, id }) => [BigInt(seq), id]));
}

/** ID of the batch that a reversal takes back; null for a payment. */
export async function findReversed(
  ctx: Reader,
  batch: Pick<StoredBatch, "contractAddress" | "reversesSeq">,
): Promise<string | null> {
  const [id] = (await readReversed(ctx, [batch])).values();
  return id ?? null;
}

/** The reversals of a batch, oldest first, with those that were cancelled at the end. Only a FINALIZED batch has any. */
export async function findReversals(
  { db: { sql } }: Reader,
  { contractAddress: contract, seq, status }: Pick<StoredBatch, "contractAddress" | "seq" | "status">,
): Promise<ReversalOf[]> {
  if (status !== "FINALIZED") return [];
  const rows = await sql<BatchRow[]>`
    select ${sql.unsafe(REVERSAL_COLUMNS)}, b.points from batches b
    where b.contract_address = ${contract} and b.reverses_seq = ${seq.toString()}::bigint
    order by b.status = 'CANCELLED', b.seq limit ${REVERSED_BY_MAX}`;
  return rows.map((row) => ({ ...toReversalState(row), points: shortestPoints(row.points) }));
}
