import { useCallback, useEffect, useMemo, useState } from "react";
import { batchKey, indexOfBatch } from "@/app/(console)/batch-key";
import { batchPath, payoutPath } from "@/app/(console)/paths";
import type { ConsoleBatch } from "@/server/batches/list/console-schema";

/** What the list draws as one row: a batch, or a payout. */
export interface Line {
  key: string;
  path: string;
  /** Of a payout, the first one. */
  batch: ConsoleBatch;
  batches: readonly ConsoleBatch[];
  isPayout: boolean;
  isUnfolded: boolean;
  /** Below its payout. */
  isPart: boolean;
}

/** Of the most unusual of a payout's batches. */
export function flagOf({ batches }: Pick<Line, "batches">): ConsoleBatch["flag"] {
  const flags = batches.flatMap(({ flag }) => flag ?? []);
  return flags.find(({ level }) => level === "alarming") ?? flags[0] ?? null;
}

/** The figures of a payout are those of one point type. What takes it back is a row of its own. */
const groupOf = ({ contractAddress, pointType, payout, takesBack }: ConsoleBatch) =>
  (payout && `${payoutPath({ contractAddress, id: payout.id })} ${pointType}`) ||
  (takesBack && `${payoutPath({ contractAddress, id: takesBack.id })} ${pointType} back`);

const lineOf = (batch: ConsoleBatch, isPart = false): Line => ({
  key: batchKey(batch),
  path: batchPath(batch),
  batch,
  batches: [batch],
  isPayout: false,
  isUnfolded: false,
  isPart,
});

/** A batch alone is a payout while the rest of its file is not stored. Otherwise a filter found just it. */
const isPayoutOf = ([first, ...others]: readonly ConsoleBatch[]) =>
  others.length > 0 || (first?.payout?.stored === 1 && (first.payout.partCount ?? 1) > 1);

/** The batches of a payout are in the place of the first one, in their own order. */
export function linesOf(batches: readonly ConsoleBatch[], unfolded: ReadonlySet<string>): Line[] {
  const groups = new Map<string, ConsoleBatch[]>();
  for (const batch of batches) {
    const key = groupOf(batch);
    if (key) groups.set(key, [...(groups.get(key) ?? []), batch]);
  }
  return batches.flatMap((batch) => {
    const key = groupOf(batch);
    const parts = (key && groups.get(key)) || [];
    if (!key || !isPayoutOf(parts)) return lineOf(batch);
    if (parts[0] !== batch) return [];
    const first = batch.payout ? batch : { ...batch, payout: batch.takesBack };
    const path = payoutPath({ contractAddress: batch.contractAddress, id: first.payout!.id });
    const isUnfolded = unfolded.has(key);
    const head = { key, path, batch: first, batches: parts, isPayout: true, isUnfolded, isPart: false };
    return isUnfolded ? [head, ...parts.map((part) => lineOf(part, true))] : head;
  });
}

/**
 * @param open the batch in the side panel, whose payout is unfolded
 * @param isGrouped false for a list of one payout
 */
export function useLines(batches: readonly ConsoleBatch[], open: string | null, isGrouped: boolean) {
  const [unfolded, setUnfolded] = useState<ReadonlySet<string>>(new Set());
  const opened = batches[indexOfBatch(batches, open)];
  const openGroup = opened && groupOf(opened);
  useEffect(() => {
    if (openGroup) setUnfolded((before) => new Set(before).add(openGroup));
  }, [openGroup]);
  const lines = useMemo(
    () => (isGrouped ? linesOf(batches, unfolded) : batches.map((batch) => lineOf(batch))),
    [batches, unfolded, isGrouped],
  );
  const fold = useCallback(
    ({ key, isUnfolded }: Line) =>
      setUnfolded((before) => {
        const next = new Set(before);
        if (isUnfolded) next.delete(key);
        else next.add(key);
        return next;
      }),
    [],
  );
  return { lines, fold };
}
