import { createContext, use } from "react";
import { useChange, useTRPC } from "@/app/data/trpc";
import type { ProposedChange } from "@/server/approvals/schema";
import type { ListedToken } from "@/server/auth/tokens";
import type { ConsoleContractDetail } from "@/server/contracts/schema";
import type { WebhookEndpoint } from "@/server/webhooks/endpoints";

export type ContractDialog =
  | { kind: "rename" | "issuance" | "operator" | "wait" | "key" | "grant" }
  | { kind: "create-token" | "propose-rule" | "add-webhook" }
  | { kind: "decide-change"; decision: "approve" | "reject" | "withdraw"; change: ProposedChange }
  | { kind: "revoke"; token: ListedToken }
  | { kind: "rotate-webhook"; webhook: WebhookEndpoint }
  | { kind: "end-webhook"; how: "disable" | "delete"; webhook: WebhookEndpoint };

interface ContractUse {
  contract: ConsoleContractDetail;
  /** As in the URL, so that queries find what the server has read. */
  key: { contractAddress: string };
  openDialog: (dialog: ContractDialog) => void;
}

export const ContractContext = createContext<ContractUse | null>(null);

/** The contract whose page surrounds the component, and its dialogs. */
export function useContract(): ContractUse {
  const found = use(ContractContext);
  if (!found) throw new Error("useContract is for what a contract's page shows");
  return found;
}

export interface ContractDialogProps {
  contract: ConsoleContractDetail;
  close: () => void;
}

export const useWebhookChange = (close?: () => void) =>
  useChange([useTRPC().console.webhooks.pathFilter()], close);

/** What changes contracts, and what a mutation does then. */
export function useContractChange(close: () => void) {
  const { contracts, approvals } = useTRPC().console;
  const changed = useChange([contracts.pathFilter(), approvals.pathFilter()], close);
  return { contracts, approvals, changed };
}
