"use client";
import { useQueryClient } from "@tanstack/react-query";
import { useTRPC } from "../../../data/trpc";

/** What follows every change of staff: the list and the audit log are read again. */
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
