import type { ServiceContext } from "../../kernel/context";
import type { StoredBatch } from "./get-batch";

/** More than a batch of small parts needs. */
const REVERSED_BY_MAX = 10_000;

type Reader = Pick<ServiceContext, "db">;

/** ID of the batch that a reversal takes back; null for a payment. */
export async function findReversed(
  { db: { sql } }: Reader,
  { contractAddress: contract, reversesSeq }: Pick<StoredBatch, "contractAddress" | "reversesSeq">,
): Promise<string | null> {
  if (reversesSeq === null) return null;
  const [original] = await sql<{ id: string }[]>`
    select id from batches where contract_address = ${contract} and seq = ${reversesSeq.toString()}::bigint`;
  return original!.id;
}

/** IDs of the batches that the reversals among these take back, by the original's sequence number. */
export async function readReversed(
  { db: { sql } }: Reader,
  rows: readonly { contractAddress: Buffer; reversesSeq: bigint | string | null }[],
): Promise<Map<bigint, string>> {
  const reversals = rows.filter(({ reversesSeq }) => reversesSeq !== null);
  if (reversals.length === 0) return new Map();
  const contracts = [...new Set(reversals.map(({ contractAddress }) => contractAddress.toString("hex")))];
  const originals = await sql<{ seq: string; id: string }[]>`
    select seq, id from batches
    where contract_address = any(${`{${contracts.map((hex) => `"\\\\x${hex}"`).join(",")}}`}::bytea[])
      and seq = any(${`{${reversals.map(({ reversesSeq }) => reversesSeq).join(",")}}`}::text::bigint[])`;
  return new Map(originals.map(({ seq, id }) => [BigInt(seq), id]));
}

/** What a reply says of a batch: `reverses` on a reversal, and nothing on a payment. */
export function reversesOf(
  { reversesSeq }: { reversesSeq: bigint | string | null },
  reversed: ReadonlyMap<bigint, string>,
): { reverses?: string } {
  return reversesSeq === null ? {} : { reverses: reversed.get(BigInt(reversesSeq))! };
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
