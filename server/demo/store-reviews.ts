import type { TransactionSql } from "postgres";

/**
 * Marks the generated batches as reviewed, except in a database that had batches before: its reviews continue where they
 * were. Returns the batch that was made unusual; undefined if there is none.
 */
export async function storeReviews(
  tx: TransactionSql,
  isFirst: boolean,
): Promise<{ contractAddress: Buffer; seq: string } | undefined> {
  if (isFirst)
    await tx`
      insert into review_progress (created_at, batch_seq)
      select created_at, seq from drawn_batches join drawn_keys using (k) order by k desc limit 1
      on conflict (singleton) do nothing`;
  const [unusual] = await tx<{ contractAddress: Buffer; seq: string }[]>`
    select contract_address as "contractAddress", seq::text from drawn_keys join drawn_unusual using (k)`;
  return unusual;
}
