import { DomainError } from "../kernel/values/problems";

export const endpointNotFound = () => new DomainError("not_found", "The contract has no such webhook.");
