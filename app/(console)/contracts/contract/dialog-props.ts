import type { ListedToken } from "@/server/auth/list-tokens";
import type { ConsoleContractDetail } from "@/server/contracts/console-schema";

export type Question =
  | { kind: "rename" | "issuance" | "operator" | "grant" | "create-token" }
  | { kind: "revoke"; token: ListedToken };

export interface ContractDialogProps {
  contract: ConsoleContractDetail;
  close: () => void;
}
