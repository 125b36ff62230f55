"use client";
import type { ProposedChange } from "@/server/approvals/console-schema";
import type { ListedToken } from "@/server/auth/tokens";
import type { ConsoleContractDetail } from "@/server/contracts/console-schema";
import { useTRPC } from "../../../data/trpc";
import { useChange } from "../../../data/use-change";

export type ContractDialog =
  | { kind: "rename" | "issuance" | "operator" | "grant" | "create-token" | "propose-rule" }
  | { kind: "decide-change"; decision: "approve" | "reject" | "withdraw"; change: ProposedChange }
  | { kind: "revoke"; token: ListedToken };

export interface ContractDialogProps {
  contract: ConsoleContractDetail;
  close: () => void;
}

/** After every change or proposal, the queries about contracts and approvals are read again. */
export function useContractChange(close: () => void) {
  const { contracts, approvals } = useTRPC().console;
  return useChange([contracts.pathFilter(), approvals.pathFilter()], close);
}
