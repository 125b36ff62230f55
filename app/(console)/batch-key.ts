import type { BatchKey } from "@/terms/batch-schema";
import { ADDRESS_PATTERN, BATCH_ID_PATTERN } from "@/terms/batch-terms";

export interface NamedBatch {
  contractAddress: string;
  id: string;
}

export const keyOf = ({ contractAddress, id }: NamedBatch): BatchKey => ({ contractAddress, batchId: id });

/** As the URL names the open batch. */
export const batchKey = ({ contractAddress, id }: NamedBatch) => `${contractAddress}/${id}`;

const URL_CHARS_MAX = 5_000;

/** The first keys that a URL has space for, as JSON: about fifty. */
export function withinUrl(keys: readonly string[]): string[] {
  let chars = 0;
  return keys.filter((key) => {
    chars += encodeURIComponent(`"${key}",`).length;
    return chars <= URL_CHARS_MAX;
  });
}

/** A link may have the address in another letter case. */
export function indexOfBatch(batches: readonly NamedBatch[], key: string | null) {
  const open = parseBatchKey(key);
  const address = open?.contractAddress.toLowerCase();
  return batches.findIndex(
    (batch) => batch.id === open?.batchId && batch.contractAddress.toLowerCase() === address,
  );
}

export function parseBatchKey(key: string | null): BatchKey | null {
  const [contractAddress = "", batchId = "", ...rest] = (key ?? "").split("/");
  const isKey = ADDRESS_PATTERN.test(contractAddress) && BATCH_ID_PATTERN.test(batchId) && rest.length === 0;
  return isKey ? { contractAddress, batchId } : null;
}

/** The batch of a page's path; null if it is not valid. */
export function readBatchKey({ contractAddress, batchId }: BatchKey): BatchKey | null {
  try {
    return parseBatchKey(`${contractAddress}/${decodeURIComponent(batchId)}`);
  } catch {
    return null;
  }
}
