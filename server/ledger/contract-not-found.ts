import { DomainError } from "../kernel/values/problems";

export const contractNotFound = (contractAddress: string): DomainError =>
  new DomainError("contract_not_found", `The contract ${contractAddress} is not registered.`);
