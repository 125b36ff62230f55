import { withRetries } from "@/app/data/problem";
import type { useTRPCClient } from "@/app/data/trpc";
import type { NamedBatch, StoredBatch } from "@/terms/file/compare-own";

/** Of the IDs in one request, as they are in its URL, which may have 6,000. */
const ID_CHARS_MAX = 4_000;
const BETWEEN_IDS = '","';

/** As many of the IDs as one request takes, from the first. */
function firstOf(ids: readonly string[]): string[] {
  let chars = 0;
  const after = ids.findIndex((id) => {
    chars += encodeURIComponent(id + BETWEEN_IDS).length;
    return chars > ID_CHARS_MAX;
  });
  return after === -1 ? [...ids] : ids.slice(0, after);
}

/**
 * The batches that the rows of an export name, as far as they exist, reply by reply. Those whose contract is
 * not known are left out.
 */
export async function* readNamed(
  { console: { statements } }: ReturnType<typeof useTRPCClient>,
  named: readonly NamedBatch[],
  signal: AbortSignal,
): AsyncGenerator<StoredBatch[], void, undefined> {
  const contracts = new Set(named.map(({ contractAddress }) => contractAddress));
  for (const contractAddress of contracts) {
    if (contractAddress === "") continue;
    let left = named.filter((one) => one.contractAddress === contractAddress).map(({ batchId }) => batchId);
    while (left.length > 0) {
      const batchIds = firstOf(left);
      const input = { contractAddress, batchIds };
      const reply = await withRetries(signal, () => statements.named.query(input, { signal }));
      left = [...reply.left, ...left.slice(batchIds.length)];
      yield reply.batches;
    }
  }
}
