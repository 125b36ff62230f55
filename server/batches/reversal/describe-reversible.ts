import type { BatchLimits } from "../../kernel/batch-limits";
import type { ServiceContext } from "../../kernel/context";
import type { ReversalState } from "../../kernel/values/batch-rows";
import type { BatchKey } from "../../kernel/values/batch-schema";
import { withLabels } from "../../recipients/labels";
import { findObstacles } from "./obstacles";
import { prepareReversal } from "./prepare-reversal";

/** A transfer of a FINALIZED batch, and why it cannot be taken back. */
export interface ReversibleTransfer {
  toAddress: string;
  label: string | null;
  points: string;
  /** The reversal that has taken it back, or will. */
  reversedBy: ReversalState | null;
  /** What the recipient has available, if that is too little. */
  available: string | null;
}

export interface Reversible {
  transfers: ReversibleTransfer[];
  /** Bounds of the wait. */
  limits: Pick<BatchLimits, "minimumFinalizeSeconds" | "defaultFinalizeSeconds">;
}

/** @throws DomainError those of `prepareReversal` */
export async function describeReversible(
  ctx: ServiceContext,
  limits: BatchLimits,
  input: BatchKey,
): Promise<Reversible> {
  const { original, transfers } = await prepareReversal(ctx, limits, input);
  const { reversed, short } = await findObstacles(ctx.db, original, transfers);
  const reversedBy = new Map(reversed.map(({ toAddress, reversal }) => [toAddress, reversal]));
  const available = new Map(short.map((each) => [each.toAddress, each.available]));
  return {
    transfers: (await withLabels(ctx.db, transfers)).map(({ toAddress, label, points }) => ({
      toAddress,
      label,
      points,
      reversedBy: reversedBy.get(toAddress) ?? null,
      // A row that is taken back already has no other obstacle.
      available: reversedBy.has(toAddress) ? null : (available.get(toAddress) ?? null),
    })),
    limits: {
      minimumFinalizeSeconds: limits.minimumFinalizeSeconds,
      defaultFinalizeSeconds: limits.defaultFinalizeSeconds,
    },
  };
}
