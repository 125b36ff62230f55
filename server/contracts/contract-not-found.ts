import { DomainError } from "../problems";

export const contractNotFound = (contractAddress: string): DomainError =>
  new DomainError("contract_not_found", `The contract ${contractAddress} is not registered.`);
