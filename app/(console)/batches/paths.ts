import type { DifferenceKind } from "@/server/batches/list/console-schema";
import type { BatchKey } from "@/server/kernel/values/batch-schema";
import { ADDRESS_PATTERN, BATCH_ID_PATTERN } from "@/server/kernel/values/patterns";

export const batchKey = (batch: { contractAddress: string; id: string }) =>
  `${batch.contractAddress}/${batch.id}`;

/** A link may have the address in another letter case. */
export function indexOfBatch(
  batches: readonly { contractAddress: string; id: string }[],
  key: string | null,
) {
  const open = parseBatchKey(key);
  const address = open?.contractAddress.toLowerCase();
  return batches.findIndex(
    (batch) => batch.id === open?.batchId && batch.contractAddress.toLowerCase() === address,
  );
}

export const batchPath = (batch: { contractAddress: string; id: string }) =>
  `/batches/${batch.contractAddress}/${encodeURIComponent(batch.id)}`;

/** @param withId the batch to compare with; by default the server chooses one @param show without it, all differences */
export const comparePath = (
  batch: { contractAddress: string; id: string },
  withId?: string,
  show?: DifferenceKind,
) => `${batchPath(batch)}/compare${compareQuery(withId, show)}`;

export const compareExportPath = (
  batch: { contractAddress: string; id: string },
  withId: string,
  show: DifferenceKind | undefined,
) => `${batchPath(batch)}/compare/export${compareQuery(withId, show)}`;

function compareQuery(withId: string | undefined, show: DifferenceKind | undefined): string {
  const query = new URLSearchParams({ ...(withId !== undefined && { with: withId }), ...(show && { show }) });
  return query.size > 0 ? `?${query}` : "";
}

/** "New batch", filled in with a cancelled batch. */
export const correctPath = ({ contractAddress, id }: { contractAddress: string; id: string }) =>
  `/batches/new?corrects=${contractAddress}/${encodeURIComponent(id)}`;

export const jobPath = (jobId: string) => `/batches/jobs/${jobId}`;

/** The list of one uploaded file's batches. */
export const uploadPath = (uploadId: string) => `/batches?upload=${uploadId}`;

export function parseBatchKey(key: string | null): BatchKey | null {
  const [contractAddress = "", batchId = "", ...rest] = (key ?? "").split("/");
  const isKey = ADDRESS_PATTERN.test(contractAddress) && BATCH_ID_PATTERN.test(batchId) && rest.length === 0;
  return isKey ? { contractAddress, batchId } : null;
}

/** The batch of a page's path; null if it cannot be one. */
export function readBatchKey(params: { contractAddress: string; batchId: string }): BatchKey | null {
  try {
    return parseBatchKey(`${params.contractAddress}/${decodeURIComponent(params.batchId)}`);
  } catch {
    return null;
  }
}
