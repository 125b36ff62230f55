import type { Database } from "@/db/client";
import { addressArray, distinctAddresses } from "../../kernel/values/addresses";
import type { BatchReview } from "./findings";

/** The stored findings of these batches, by sequence number. Only batches with an unusual finding have an entry. */
export async function readStoredReviews(
  { sql }: Pick<Database, "sql">,
  batches: readonly { contractAddress: Buffer; seq: bigint | string }[],
): Promise<Map<bigint, BatchReview>> {
  if (batches.length === 0) return new Map();
  const contracts = distinctAddresses(batches.map(({ contractAddress }) => contractAddress));
  const rows = await sql<{ seq: string; findings: BatchReview }[]>`
    select batch_seq as seq, findings from batch_reviews
    where contract_address = any(${addressArray(contracts)}::bytea[])
      and batch_seq = any(${`{${batches.map(({ seq }) => seq).join(",")}}`}::text::bigint[])`;
  return new Map(rows.map(({ seq, findings }) => [BigInt(seq), findings]));
}
