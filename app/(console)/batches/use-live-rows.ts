"use client";
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useMemo, useState } from "react";
import type { ConsoleBatch } from "@/server/batches/list/console-schema";
import { useTRPC } from "../../data/trpc";
import { useServerClock } from "../../ui/server-clock";
import { batchKey, keyOf } from "./paths";
import { isOpen } from "./status";

const EVERY_MS = 4_000;
/** The keys are part of the URL, which has space for about fifty. */
const KEY_CHARS_MAX = 5_000;

/**
 * Refreshes the visible rows that can still change, all in one request, while the page is visible. A row that no longer
 * matches the filters keeps its place until the list is reloaded.
 */
export function useLiveRows(batches: ConsoleBatch[], first: number, last: number) {
  const trpc = useTRPC();
  const queryClient = useQueryClient();
  const [known] = useState(() => new Map<string, { batch: ConsoleBatch; now: string }>());
  /** From the last refresh or from the open batch, whichever is newer. */
  const read = (batch: ConsoleBatch): ConsoleBatch => {
    const row = known.get(batchKey(batch));
    const open = queryClient.getQueryData(trpc.console.batches.get.queryKey(keyOf(batch)));
    return open && (!row || open.now > row.now) ? open : (row?.batch ?? batch);
  };
  const keys = withinUrl(
    batches
      .slice(first, last + 1)
      .filter((batch) => isOpen(read(batch)))
      .map(batchKey),
  );
  const { data } = useQuery(
    trpc.console.batches.refresh.queryOptions(
      { keys },
      { enabled: keys.length > 0, refetchInterval: EVERY_MS, staleTime: EVERY_MS, gcTime: 0 },
    ),
  );
  if (data?.now) {
    for (const batch of data.batches) known.set(batchKey(batch), { batch, now: data.now });
  }
  useServerClock(data?.now);
  // biome-ignore lint/correctness/useExhaustiveDependencies: a new reply changes `known`
  return useMemo(() => batches.map(read), [batches, data, keys.join()]);
}

function withinUrl(keys: readonly string[]): string[] {
  let chars = 0;
  return keys.filter((key) => {
    chars += encodeURIComponent(`"${key}",`).length;
    return chars <= KEY_CHARS_MAX;
  });
}
