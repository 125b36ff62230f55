"use client";
import { useQueryClient } from "@tanstack/react-query";
import { useTRPC } from "../../../data/trpc";
import { notify } from "../../../ui/toast";

/** What every change of a contract does after: say so, close, and read everything about contracts anew. */
export function useContractChange(close: () => void) {
  const trpc = useTRPC();
  const queryClient = useQueryClient();
  return (words: string) => ({
    onSuccess: () => {
      notify("success", words);
      close();
    },
    onSettled: () => queryClient.invalidateQueries(trpc.console.contracts.pathFilter()),
  });
}
