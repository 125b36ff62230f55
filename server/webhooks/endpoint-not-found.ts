import { DomainError } from "../kernel/values/problems";

export const endpointNotFound = () =>
  new DomainError(
    "not_found",
    "This contract has no webhook with this id. List the webhooks to see their ids.",
  );
