"use client";
import { useQuery } from "@tanstack/react-query";
import { useSyncExternalStore } from "react";
import { useTRPCClient } from "../data/trpc";

function onHashChange(listener: () => void): () => void {
  addEventListener("hashchange", listener);
  return () => removeEventListener("hashchange", listener);
}

/** The secret of the link, and whom it is for; null while the server renders, empty when the address has none. */
export function useInvitation() {
  const client = useTRPCClient();
  const token = useSyncExternalStore(
    onHashChange,
    () => location.hash.slice(1),
    () => null,
  );
  const query = useQuery({
    queryKey: ["invitation", token],
    // A mutation by its method alone: the secret goes in the body, for addresses get into logs.
    queryFn: ({ signal }) => client.console.staff.openInvitation.mutate({ token: token ?? "" }, { signal }),
    enabled: Boolean(token),
    staleTime: Number.POSITIVE_INFINITY,
    refetchOnWindowFocus: false,
  });
  return { token, query };
}
