import "server-only";
import { randomUUID } from "node:crypto";
import { type DataTag, dehydrate, HydrationBoundary, type QueryFunction } from "@tanstack/react-query";
import { callTRPCProcedure } from "@trpc/server";
import { createTRPCOptionsProxy, type TRPCQueryKey } from "@trpc/tanstack-react-query";
import { headers } from "next/headers";
import { redirect } from "next/navigation";
import type { ReactNode } from "react";
import { staffSession } from "@/server/auth/staff-session";
import { consoleContext } from "@/server/trpc/console-endpoint";
import { appRouter, createConsoleCaller } from "@/server/trpc/root";
import { makeQueryClient } from "./query-client";

/** The path and query of the page that is being rendered, from proxy.ts. */
export const ownAddress = async () => (await headers()).get("x-address") ?? "/";

/** Redirects to sign-in, and back to this page afterwards. */
export async function requireStaff() {
  const person = await staffSession();
  if (!person) redirect(`/sign-in?callbackUrl=${encodeURIComponent(await ownAddress())}`);
  return person;
}

/**
 * Reads what a page's queries will ask for, by the keys of their results. What cannot be read is left to the
 * browser, which shows why.
 */
export async function prefetcher() {
  const person = await requireStaff();
  const ctx = await consoleContext(randomUUID());
  const queryClient = makeQueryClient();
  const call = { router: appRouter, ctx, type: "query" as const, signal: undefined, batchIndex: 0 };
  /** A key names its procedure and has the input. */
  const ask = ({ queryKey: [path, asked] }: { queryKey: TRPCQueryKey }) =>
    callTRPCProcedure({ ...call, path: path.join("."), getRawInput: async () => asked?.input });
  return {
    person,
    caller: createConsoleCaller(ctx).console,
    keys: createTRPCOptionsProxy({ queryClient, router: appRouter, ctx }).console,
    /** @param queryFn where the page reads it once for several uses */
    read: <Value,>(
      queryKey: DataTag<TRPCQueryKey, Value, unknown>,
      queryFn: QueryFunction<Value, TRPCQueryKey> = ask,
    ) => queryClient.prefetchQuery({ queryKey, queryFn, retry: false }),
    readPage: (queryKey: TRPCQueryKey) =>
      queryClient.prefetchInfiniteQuery({ queryKey, queryFn: ask, initialPageParam: null, retry: false }),
    hydrate: (children: ReactNode) => (
      <HydrationBoundary state={dehydrate(queryClient)}>{children}</HydrationBoundary>
    ),
  };
}
