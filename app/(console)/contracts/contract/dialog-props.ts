import type { ProposedRule } from "@/server/approvals/console-schema";
import type { ListedToken } from "@/server/auth/list-tokens";
import type { ConsoleContractDetail } from "@/server/contracts/console-schema";

export type Question =
  | { kind: "rename" | "issuance" | "operator" | "grant" | "create-token" | "propose-rule" }
  | { kind: "decide-rule"; decision: "approve" | "reject" | "withdraw"; change: ProposedRule }
  | { kind: "revoke"; token: ListedToken };

export interface ContractDialogProps {
  contract: ConsoleContractDetail;
  close: () => void;
}
