import { withRetries } from "@/app/data/problem";
import type { useTRPCClient } from "@/app/data/trpc";
import type { NamedBatch, StoredBatch } from "@/terms/file/compare-own";

/** Of one request: its input is in the URL, which may have 6,000 characters. An ID has up to 64. */
const IDS_MAX = 50;

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
      const asked = { contractAddress, batchIds: left.slice(0, IDS_MAX) };
      const reply = await withRetries(signal, () => statements.named.query(asked, { signal }));
      left = [...reply.left, ...left.slice(IDS_MAX)];
      yield reply.batches;
    }
  }
}
