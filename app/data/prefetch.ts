import "server-only";
import type { QueryClient } from "@tanstack/react-query";
import { createTRPCClient } from "@trpc/client";
import { createTRPCOptionsProxy } from "@trpc/tanstack-react-query";
import type { AppRouter } from "@/server/trpc/root";

/** The cache keys that the client's queries will have; this client has no way to the network and is never called. */
export function queryKeys(queryClient: QueryClient) {
  return createTRPCOptionsProxy<AppRouter>({
    queryClient,
    client: createTRPCClient<AppRouter>({ links: [] }),
  });
}
