import type { BatchKey } from "@/terms/batch-schema";
import type { NamedBatch } from "./batch-key";

function inPath(batch: NamedBatch | BatchKey): string {
  const id = "id" in batch ? batch.id : batch.batchId;
  return `${batch.contractAddress}/${encodeURIComponent(id)}`;
}

export const batchPath = (batch: NamedBatch | BatchKey) => `/batches/${inPath(batch)}`;

/** All receipts of a batch, for staff. */
export const receiptsPath = (batch: NamedBatch | BatchKey) => `${batchPath(batch)}/receipts`;

export const correctPath = (batch: NamedBatch | BatchKey) => `/batches/new?corrects=${inPath(batch)}`;

/** What a bulk action did, in the audit log. */
export const jobPath = (jobId: string) => `/access/audit?job=${jobId}`;
export const jobExportPath = (jobId: string) => `/batches/jobs/${jobId}/export`;

export const payoutPath = (payout: NamedBatch) => `/payouts/${inPath(payout)}`;
export const payoutExportPath = (payout: NamedBatch) => `${payoutPath(payout)}/export`;

/** A payout, or the only batch of none. */
export const paymentPath = (payment: BatchKey & { payoutId: string | null }) =>
  payment.payoutId === null
    ? batchPath(payment)
    : payoutPath({ contractAddress: payment.contractAddress, id: payment.payoutId });

/** The batches of a payout, as a list. */
export const partsPath = ({ contractAddress, id }: NamedBatch) =>
  `/batches?contract=${contractAddress}&payout=${encodeURIComponent(id)}`;

/** New payout, for the rest of a payout's file. */
export const continuePath = (payout: NamedBatch) => `/batches/new?payout=${inPath(payout)}`;

/** @param query as `queryOf` in batches/list-params.ts writes it */
export const viewPath = (query: string) => (query ? `/batches?${query}` : "/batches");

export const contractPath = (address: string) => `/contracts/${address}`;
export const recipientPath = (address: string) => `/recipients/${address}`;
export const snapshotCsvPath = (snapshotId: string) => `/snapshots/${snapshotId}/export`;

export const newAllocationPath = (snapshotId: string) => `/snapshots/allocations/new?snapshot=${snapshotId}`;
export const allocationPath = (allocationId: string) => `/snapshots/allocations/${allocationId}`;
/** @param token the token's address, for the forms that name it */
export const allocationFilePath = (allocationId: string, form: string, token?: string) =>
  `${allocationPath(allocationId)}/files/${form}${token ? `?token=${token}` : ""}`;
export const payPath = (allocationId: string) => `/batches/new?allocation=${allocationId}`;

export const statementsPath = (address: string) => `${contractPath(address)}/statements`;

/** Of a contract's page. The overview is at the page's own path, the others are below it. */
export type ContractTab = "overview" | "tokens" | "webhooks" | "requests" | "approvals";
export const contractTabPath = (address: string, tab: ContractTab) =>
  tab === "overview" ? contractPath(address) : `${contractPath(address)}/${tab}`;

/** A request in the log of its contract. */
export const requestPath = ({ contractAddress, requestId }: { contractAddress: string; requestId: string }) =>
  `${contractTabPath(contractAddress, "requests")}?request=${encodeURIComponent(requestId)}`;

export const statementPath = (address: string, of: string) => `${statementsPath(address)}?month=${of}`;

export const ALL_STATEMENTS = "/contracts/statements";

export const transfersCsvPath = (
  address: string,
  by: "created" | "finalized",
  { from, to }: { from: string; to: string },
) => `${contractPath(address)}/transfers/export?${new URLSearchParams({ by, from, to })}`;

/** A wallet's page, for anyone. */
export const walletPath = (address: string) => `/r/${address}`;

export const receiptPath = (address: string, batch: BatchKey) => `${walletPath(address)}/${inPath(batch)}`;

/** A claim with its proof, for anyone. */
export const claimPath = (address: string, allocationId: string) =>
  `/v1/allocations/${allocationId}/claims/${address}`;
