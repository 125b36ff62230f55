"use client";
import { useQueryClient } from "@tanstack/react-query";
import { useTRPC } from "../../../data/trpc";

/** Every change also adds an audit log entry, so both lists are refreshed. */
export function useStaffChange() {
  const trpc = useTRPC();
  const queryClient = useQueryClient();
  return {
    trpc,
    refresh: () =>
      Promise.all([
        queryClient.invalidateQueries(trpc.console.staff.list.queryFilter()),
        queryClient.invalidateQueries(trpc.console.audit.list.infiniteQueryFilter()),
      ]),
  };
}
