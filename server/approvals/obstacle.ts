import type { ContractChange } from "./console-schema";
import type { ContractNow } from "./read-contract";

/** Why a change is not possible as the contract is now, or undefined. */
export function obstacleTo(change: ContractChange, contract: ContractNow): string | undefined {
  switch (change.kind) {
    case "RULE":
      return undefined;
    case "GRANT":
      return contract.issuance === "PREFUNDED"
        ? undefined
        : "The contract gets points on demand and needs no grants.";
    case "ISSUANCE":
      return contract.issuance === change.issuance
        ? `The contract's issuance is already ${change.issuance}.`
        : undefined;
    case "OPERATOR":
      if (contract.operatorAddress !== change.operatorBefore)
        return "The contract's operator was changed after this was proposed.";
      return contract.operatorAddress === change.operatorAddress
        ? "The contract already has this operator."
        : undefined;
  }
}
