import { isDeepStrictEqual } from "node:util";
import { findBatch, findTransfers, readMetadata } from "@/server/batches/list/get-batch";
import { toTimestamp } from "@/server/kernel/batch-rows";
import type { ServiceContext } from "@/server/kernel/context";
import { addressKey } from "@/terms/address-text";
import { sortedMetadata } from "@/terms/batch-terms";
import { DomainError } from "@/terms/problems";
import { contentDigest, transfersHash } from "./digest";
import type { SubmitBatchInput } from "./submit-schema";

/** @param name of the header or field that is missing */
export const keyRequired = (name: "Idempotency-Key" | "reversalId") =>
  new DomainError(
    "validation_failed",
    name === "reversalId"
      ? "This contract requires a `reversalId`, so that a repeat of the call is recognized."
      : "This contract requires an `Idempotency-Key`. Send the header, or PUT the batch under an ID of " +
          "your own, so that a repeat of the call does not pay again.",
    { errors: [{ pointer: `/${name}`, code: "required", detail: "is required by this contract" }] },
  );

interface Name {
  batchId: string;
  isKeyed?: boolean | undefined;
}

/**
 * Accepts a repeat of a stored batch. If that one was cancelled, the caller must not read a repeat as
 * success: it will never be finalized.
 * @throws DomainError `batch_id_conflict`, `idempotency_key_reused`, `batch_cancelled`
 */
export function requireSameBatch(
  { batchId, isKeyed }: Name,
  stored: { digest: Buffer; cancelledAt: string | null },
  digest: Buffer,
  content = "different content",
): void {
  if (!stored.digest.equals(digest))
    throw new DomainError(
      isKeyed ? "idempotency_key_reused" : "batch_id_conflict",
      isKeyed
        ? `The \`Idempotency-Key\` is already used by the batch ${batchId} with ${content}.`
        : `The ID ${batchId} is already used by a batch with ${content}.`,
      { extra: { storedDigest: stored.digest.toString("hex"), sentDigest: digest.toString("hex") } },
    );
  if (!stored.cancelledAt) return;
  const since = toTimestamp(stored.cancelledAt);
  const how = isKeyed ? "with a new `Idempotency-Key`" : "under a new ID";
  throw new DomainError(
    "batch_cancelled",
    `The batch ${batchId} was cancelled at ${since} and will not be finalized. Send it again ${how}.`,
    { extra: { since } },
  );
}

/** What the stored batch of this ID contains, compared with another batch that was sent under it. */
export async function contentOfStored(
  ctx: ServiceContext,
  batchId: string,
  sent: SubmitBatchInput,
): Promise<string | undefined> {
  const stored = await findBatch(ctx, sent.contractAddress, batchId);
  if (stored.reversesSeq !== null || stored.pointType !== sent.pointType) return undefined;
  const [transfers, of] = await Promise.all([findTransfers(ctx, stored), readMetadata(ctx, [stored])]);
  if (!transfersHash({ transfers }).equals(transfersHash(sent))) return undefined;
  const metadata = of.get(stored.seq);
  const withStored = contentDigest({ ...sent, transfers, metadata });
  const keys = sent.transfers.map(({ toAddress }) => addressKey(toAddress));
  const referenceOf = new Map(keys.map((key, at) => [key, sent.transfers[at]!.reference ?? undefined]));
  const differs = [
    transfers.some(({ toAddress }, at) => addressKey(toAddress) !== keys[at]) && "their order",
    transfers.some((row) => row.reference !== referenceOf.get(addressKey(row.toAddress))) && "a `reference`",
    !isDeepStrictEqual(sortedMetadata(metadata), sortedMetadata(sent.metadata)) && "`metadata`",
    !withStored.equals(stored.digest) && "`secondsToFinalize`",
  ].filter((each) => each !== false);
  const count = transfers.length === 1 ? "transfer" : `${transfers.length} transfers`;
  const names = new Intl.ListFormat("en-GB").format(differs);
  return `the same ${count}. Only ${names} ${differs.length > 1 ? "differ" : "differs"}`;
}

export function insufficientPoints(
  input: SubmitBatchInput,
  { available, total, cause }: { available: string; total: string; cause?: unknown },
): DomainError {
  return new DomainError(
    "insufficient_points",
    `The batch needs ${total} ${input.pointType}, but the contract has only ${available} available.`,
    { extra: { available, asked: total }, cause },
  );
}
