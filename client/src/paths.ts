import type { paths } from "./api-types.ts";
import { InvalidArgument } from "./client-error.ts";

export const batchesPath = (contractAddress: string) =>
  `/v1/contracts/${segment("contractAddress", contractAddress)}/batches`;

export const batchPath = (contractAddress: string, batchId: string) =>
  `${batchesPath(contractAddress)}/${segment("batchId", batchId)}`;

export const rootPath = (contractAddress: string, batchId: string) =>
  `${batchPath(contractAddress, batchId)}/root`;

export const reversalPath = (contractAddress: string, batchId: string) =>
  `${batchPath(contractAddress, batchId)}/reversal`;

export const receiptPath = (contractAddress: string, batchId: string, address: string) =>
  `${batchPath(contractAddress, batchId)}/receipts/${segment("address", address)}`;

export const balancesPath = (contractAddress: string) =>
  `/v1/contracts/${segment("contractAddress", contractAddress)}/point-balances`;

export const statementsPath = (contractAddress: string) =>
  `/v1/contracts/${segment("contractAddress", contractAddress)}/statements`;

export const forecastPath = (contractAddress: string) =>
  `/v1/contracts/${segment("contractAddress", contractAddress)}/forecast`;

/** One part of a path. A part of only dots would be dropped from the URL, and an empty one would address the list. */
function segment(name: string, value: string): string {
  if (typeof value !== "string" || /^\.{0,2}$/.test(value)) {
    throw new InvalidArgument(`${name} is missing, or cannot be part of a path.`);
  }
  try {
    return encodeURIComponent(value);
  } catch {
    throw new InvalidArgument(`${name} is not well-formed Unicode.`);
  }
}

export const BOOKS_PATH = "/v1/books" satisfies keyof paths;
export const BOOKS_CHAIN_PATH = "/v1/books/chain" satisfies keyof paths;
export const CHALLENGE_PATH = "/v1/dapp-auth/challenge" satisfies keyof paths;
export const SOLVE_PATH = "/v1/dapp-auth/solve" satisfies keyof paths;
