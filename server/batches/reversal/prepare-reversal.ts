import { createHash } from "node:crypto";
import type { BatchLimits } from "../../kernel/batch-limits";
import type { ServiceContext } from "../../kernel/context";
import { addressKey } from "../../kernel/values/address-text";
import { formatPoints, sumPoints } from "../../kernel/values/points";
import { DomainError, type FieldError } from "../../kernel/values/problems";
import type { Transfer } from "../../ledger/packed-transfers";
import { findBatch, findTransfers, type StoredBatch } from "../list/get-batch";
import { canonicalReversalText } from "../submit/digest";
import type { PreparedBatch } from "../submit/prepare-batch";
import type { ReverseBatchInput } from "./reversal-schema";

export interface PreparedReversal extends Omit<PreparedBatch, "transfersHash"> {
  original: StoredBatch;
  /** The original's transfers that are taken back, in its order, with its amounts. */
  transfers: Transfer[];
}

/**
 * Chooses the transfers to take back. A FINALIZED batch never changes, so they may be read before the reversal is stored.
 * @throws DomainError `batch_not_found`, `batch_not_finalized`, `validation_failed` for a reversal or an address that was not paid
 */
export async function prepareReversal(
  ctx: ServiceContext,
  limits: BatchLimits,
  input: ReverseBatchInput,
): Promise<PreparedReversal> {
  const original = await findBatch(ctx, input.contractAddress, input.batchId);
  if (original.reversesSeq !== null)
    throw invalid(`The batch ${input.batchId} is a reversal. A reversal cannot be taken back.`, [
      { pointer: "/batchId", code: "invalid_value", detail: "is a reversal" },
    ]);
  if (original.status !== "FINALIZED")
    throw new DomainError(
      "batch_not_finalized",
      `The batch is ${original.status}. Only a FINALIZED batch can be taken back.`,
      { extra: { batchStatus: original.status } },
    );
  const transfers = chosen(await findTransfers(ctx, original), input.toAddresses);
  const content = { ...input, reverses: input.batchId, pointType: original.pointType, transfers };
  return {
    original,
    transfers,
    digest: createHash("sha256").update(canonicalReversalText(content)).digest(),
    total: formatPoints(sumPoints(transfers.map(({ points }) => points))),
    waitSeconds: input.secondsToFinalize ?? limits.defaultFinalizeSeconds,
  };
}

function chosen(transfers: Transfer[], addresses: readonly string[] | undefined): Transfer[] {
  if (!addresses) return transfers;
  const paid = new Set(transfers.map(({ toAddress }) => addressKey(toAddress)));
  const wanted = new Set<string>();
  const errors: FieldError[] = [];
  addresses.forEach((address, at) => {
    const key = addressKey(address);
    const pointer = `/toAddresses/${at}`;
    if (!paid.has(key))
      errors.push({ pointer, code: "invalid_value", detail: "is not a recipient of the batch" });
    if (wanted.has(key)) errors.push({ pointer, code: "duplicate_destination", detail: "is listed twice" });
    wanted.add(key);
  });
  if (errors.length > 0) throw invalid("Some addresses cannot be taken back from this batch.", errors);
  return transfers.filter(({ toAddress }) => wanted.has(addressKey(toAddress)));
}

const invalid = (detail: string, errors: FieldError[]) =>
  new DomainError("validation_failed", detail, { errors });
