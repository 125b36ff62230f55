"use client";
import {
  keepPreviousData,
  type MutationFunctionContext,
  type QueryFilters,
  useQueryClient,
} from "@tanstack/react-query";
import { getUntypedClient } from "@trpc/client";
import { createTRPCContext } from "@trpc/tanstack-react-query";
import { problemOf } from "@/app/data/problem";
import type { AppRouter } from "@/server/trpc/root";

export const { TRPCProvider, useTRPC, useTRPCClient } = createTRPCContext<AppRouter>();

/** With a message, success shows it and closes the dialog. Without a dialog, an error is a notice. */
export function useChange(stale: readonly QueryFilters[], close?: () => void) {
  const queryClient = useQueryClient();
  return <Input, Reply>(message?: string | ((input: Input, reply: Reply) => string)) => ({
    onSuccess: (reply: Reply, input: Input, _: unknown, { meta }: MutationFunctionContext) => {
      if (message === undefined) return;
      meta?.notify?.("success", typeof message === "string" ? message : message(input, reply));
      close?.();
    },
    onError: (error: unknown, _input: Input, _: unknown, { meta }: MutationFunctionContext) => {
      if (message !== undefined && !close) meta?.notify?.("error", problemOf(error).detail);
    },
    onSettled: () => Promise.all(stale.map((filter) => queryClient.invalidateQueries(filter))),
  });
}

interface List<Input, Page> {
  "~types": { input: Input; output: Page };
  infiniteQueryKey: (input: Partial<Input>) => readonly [path: readonly string[], ...unknown[]];
}

/** A list that is read page by page. tRPC's own options would add a `direction`, which the inputs lack. */
export function usePages<Input extends object, Page extends { cursor: string | null }>(
  list: List<Input, Page>,
  input: Input,
) {
  const client = getUntypedClient(useTRPCClient());
  const queryKey = list.infiniteQueryKey(input);
  const read = (cursor: string | null, signal: AbortSignal) =>
    client.query(queryKey[0].join("."), { ...input, cursor }, { signal }) as Promise<Page>;
  return {
    queryKey,
    queryFn: (page: { pageParam: string | null; signal: AbortSignal }) => read(page.pageParam, page.signal),
    initialPageParam: null as string | null,
    getNextPageParam: ({ cursor }: Page) => cursor,
    placeholderData: keepPreviousData,
  };
}
