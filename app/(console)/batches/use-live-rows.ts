import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useMemo, useState } from "react";
import { batchKey, keyOf, withinUrl } from "@/app/(console)/batch-key";
import { useTRPC } from "@/app/data/trpc";
import type { ConsoleBatch } from "@/server/batches/list/console-schema";
import { isOpen } from "./status";
import type { Line } from "./table/lines";

const LIVE_EVERY_MS = 4_000;

/** Itself, or the payout whose figures it carries. */
const mayChange = (batch: ConsoleBatch) =>
  isOpen(batch) ||
  (batch.payout !== null && batch.payout.counts.pending + batch.payout.counts.finalizing > 0);

/** In one request. A row that no longer matches the filters keeps its place until the list is reloaded. */
export function useLiveRows(lines: readonly Line[], drawn: readonly number[]) {
  const trpc = useTRPC();
  const queryClient = useQueryClient();
  const [known] = useState(() => new Map<string, { batch: ConsoleBatch; now: string }>());
  /** From the last refresh or from the open batch, whichever is newer. */
  const read = (batch: ConsoleBatch): ConsoleBatch => {
    const row = known.get(batchKey(batch));
    const open = queryClient.getQueryData(trpc.console.batches.get.queryKey(keyOf(batch)));
    return open && (!row || open.now > row.now) ? open : (row?.batch ?? batch);
  };
  const open = drawn.map((at) => lines[at]!.batch).filter((batch) => mayChange(read(batch)));
  const keys = withinUrl([...new Set(open.map(batchKey))]);
  const { data } = useQuery(
    trpc.console.batches.refresh.queryOptions(
      { keys },
      { enabled: keys.length > 0, refetchInterval: LIVE_EVERY_MS, staleTime: LIVE_EVERY_MS, gcTime: 0 },
    ),
  );
  if (data?.now) {
    for (const batch of data.batches) known.set(batchKey(batch), { batch, now: data.now });
  }
  // biome-ignore lint/correctness/useExhaustiveDependencies: a new reply changes `known`
  return useMemo(() => lines.map(({ batch }) => read(batch)), [lines, data, keys.join()]);
}
