import type { ConsoleContractDetail } from "@/server/contracts/console-schema";

export interface ContractDialogProps {
  contract: ConsoleContractDetail;
  close: () => void;
}
