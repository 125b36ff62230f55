import type { ServiceContext } from "../../kernel/context";
import { addressArray, distinctAddresses } from "../../kernel/values/addresses";
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

/** IDs of the reversals of a batch that are not cancelled, oldest first. Only a FINALIZED batch has any. */
export async function findReversals(
  { db: { sql } }: Reader,
  { contractAddress: contract, seq, status }: Pick<StoredBatch, "contractAddress" | "seq" | "status">,
): Promise<string[]> {
  if (status !== "FINALIZED") return [];
  const reversals = await sql<{ id: string }[]>`
    select id from batches where contract_address = ${contract} and reverses_seq = ${seq.toString()}::bigint
      and status <> 'CANCELLED'
    order by batches.seq limit ${REVERSED_BY_MAX}`;
  return reversals.map(({ id }) => id);
}
