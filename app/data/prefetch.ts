import "server-only";
import type { QueryClient } from "@tanstack/react-query";
import { createTRPCClient } from "@trpc/client";
import { createTRPCOptionsProxy } from "@trpc/tanstack-react-query";
import type { AppRouter } from "@/server/trpc/root";

/** Cache keys for server-side prefetching. The client has no links, and is never called. */
export function queryKeys(queryClient: QueryClient) {
  return createTRPCOptionsProxy<AppRouter>({
    queryClient,
    client: createTRPCClient<AppRouter>({ links: [] }),
  });
}
