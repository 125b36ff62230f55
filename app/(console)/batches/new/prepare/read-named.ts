import type { useTRPCClient } from "@/app/data/trpc";
import type { NamedBatch, StoredBatch } from "@/terms/file/compare-own";

/** The most that one request takes. */
const KEYS_MAX = 100;

/**
 * The batches that the rows of an export name, as far as they exist.
 * @param contract of those for which the file does not say it; empty until one is chosen
 */
export async function readNamed(
  { console: { batches } }: ReturnType<typeof useTRPCClient>,
  named: readonly NamedBatch[],
  contract: string,
): Promise<StoredBatch[]> {
  const keys = named
    .map(({ contractAddress, batchId }) => [contractAddress ?? contract, batchId] as const)
    .filter(([contractAddress]) => contractAddress !== "")
    .map((key) => key.join("/"));
  const stored: StoredBatch[] = [];
  for (let at = 0; at < keys.length; at += KEYS_MAX) {
    const found = await batches.refresh.query({ keys: keys.slice(at, at + KEYS_MAX) });
    for (const { contractAddress, id: batchId, status, reverses = null } of found.batches) {
      const transfers = await batches.transfers.query({ contractAddress, batchId });
      stored.push({ contractAddress, batchId, status, reverses, transfers });
    }
  }
  return stored;
}
