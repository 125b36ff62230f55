import "server-only";
import { dehydrate, HydrationBoundary, type QueryKey } from "@tanstack/react-query";
import { createTRPCClient } from "@trpc/client";
import { createTRPCOptionsProxy } from "@trpc/tanstack-react-query";
import { headers } from "next/headers";
import { redirect } from "next/navigation";
import type { ReactNode } from "react";
import { staffSession } from "@/server/auth/staff-session";
import { consoleCaller } from "@/server/trpc/caller";
import type { AppRouter } from "@/server/trpc/root";
import { makeQueryClient } from "./query-client";

/** The path and query of the page that is being rendered, from proxy.ts. */
export const ownAddress = async () => (await headers()).get("x-address") ?? "/";

/** Redirects to sign-in, and back to this page afterwards. */
export async function requireStaff() {
  const person = await staffSession();
  if (!person) redirect(`/sign-in?callbackUrl=${encodeURIComponent(await ownAddress())}`);
  return person;
}

/** Reads what a page's queries will ask for. What cannot be read is left to the browser, which shows why. */
export async function prefetcher() {
  const person = await requireStaff();
  const caller = (await consoleCaller()).console;
  const queryClient = makeQueryClient();
  // For the keys only. The client has no links, and is never called.
  const client = createTRPCClient<AppRouter>({ links: [] });
  return {
    person,
    caller,
    keys: createTRPCOptionsProxy<AppRouter>({ queryClient, client }).console,
    read: (queryKey: QueryKey, queryFn: () => Promise<unknown>) =>
      queryClient.prefetchQuery({ queryKey, queryFn, retry: false }),
    readPage: (queryKey: QueryKey, queryFn: () => Promise<unknown>) =>
      queryClient.prefetchInfiniteQuery({ queryKey, queryFn, initialPageParam: null, retry: false }),
    hydrate: (children: ReactNode) => (
      <HydrationBoundary state={dehydrate(queryClient)}>{children}</HydrationBoundary>
    ),
  };
}
