"use client";
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useMemo } from "react";
import type { ConsoleBatch } from "@/server/batches/console-schema";
import { useTRPC, useTRPCClient } from "../../data/trpc";
import { setServerClock } from "../../ui/server-clock";
import { batchKey } from "./list-params";
import { isOpen } from "./status";

const EVERY_MS = 4_000;
const ROWS_MAX = 40;

/**
 * The shown rows as they are now: those that may still change are asked for again while the page is visible. A row that
 * no longer fits the filters keeps its place until the list is shown anew.
 */
export function useLiveRows(batches: ConsoleBatch[], first: number, last: number) {
  const trpc = useTRPC();
  const client = useTRPCClient();
  const queryClient = useQueryClient();
  const read = (batch: ConsoleBatch): ConsoleBatch => {
    const key = trpc.console.batches.get.queryKey({
      contractAddress: batch.contractAddress,
      batchId: batch.id,
    });
    return queryClient.getQueryData(key) ?? batch;
  };
  const watched = batches
    .slice(first, last + 1)
    .filter((batch) => isOpen(read(batch)))
    .slice(0, ROWS_MAX);
  const { dataUpdatedAt } = useQuery({
    queryKey: ["live-rows", watched.map(batchKey)],
    enabled: watched.length > 0,
    refetchInterval: EVERY_MS,
    staleTime: EVERY_MS,
    gcTime: 0,
    queryFn: async () => {
      const answers = await Promise.allSettled(
        watched.map(({ contractAddress, id: batchId }) =>
          client.console.batches.get.query({ contractAddress, batchId }),
        ),
      );
      for (const answer of answers) {
        if (answer.status !== "fulfilled") continue;
        const { contractAddress, id: batchId, now } = answer.value;
        queryClient.setQueryData(
          trpc.console.batches.get.queryKey({ contractAddress, batchId }),
          answer.value,
        );
        setServerClock(now);
      }
      return answers.length;
    },
  });
  // biome-ignore lint/correctness/useExhaustiveDependencies: a new answer changes what the cache holds
  return useMemo(() => batches.map(read), [batches, dataUpdatedAt]);
}
