"use client";
import { useMutation, useQuery } from "@tanstack/react-query";
import { useTRPC } from "../../../data/trpc";
import { useContractChange } from "./use-contract-change";

/** The contract's approval rules, and how to propose what they do not let one admin change alone. */
export function useProposal(contractAddress: string, close: () => void) {
  const { approvals } = useTRPC().console;
  const { data } = useQuery(approvals.get.queryOptions({ contractAddress }));
  const changed = useContractChange(close);
  const propose = useMutation(
    approvals.propose.mutationOptions(changed("Change proposed. Another admin must approve it.")),
  );
  return { rules: data?.rules ?? [], isOnlyAdmin: data?.otherAdmins === 0, propose };
}
