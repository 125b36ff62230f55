"use client";
import { useQuery } from "@tanstack/react-query";
import { useSyncExternalStore } from "react";
import { useTRPCClient } from "../data/trpc";

function onHashChange(listener: () => void): () => void {
  addEventListener("hashchange", listener);
  return () => removeEventListener("hashchange", listener);
}

/** `token` is null during server-side rendering, and empty when the URL has none. */
export function useInvitation() {
  const client = useTRPCClient();
  const token = useSyncExternalStore(
    onHashChange,
    () => location.hash.slice(1),
    () => null,
  );
  const query = useQuery({
    queryKey: ["invitation", token],
    // A mutation only to send the secret in the body: URLs end up in logs.
    queryFn: ({ signal }) => client.console.staff.openInvitation.mutate({ token: token ?? "" }, { signal }),
    enabled: Boolean(token),
    staleTime: Number.POSITIVE_INFINITY,
    refetchOnWindowFocus: false,
  });
  return { token, query };
}
