import type { ProposedChange } from "@/server/approvals/console-schema";
import type { ListedToken } from "@/server/auth/list-tokens";
import type { ConsoleContractDetail } from "@/server/contracts/console-schema";

export type Question =
  | { kind: "rename" | "issuance" | "operator" | "grant" | "create-token" | "propose-rule" }
  | { kind: "decide-change"; decision: "approve" | "reject" | "withdraw"; change: ProposedChange }
  | { kind: "revoke"; token: ListedToken };

export interface ContractDialogProps {
  contract: ConsoleContractDetail;
  close: () => void;
}
