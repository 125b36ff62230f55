export const contractPath = (address: string) => `/contracts/${address}`;
export const recipientPath = (address: string) => `/recipients/${address}`;
export const statementsPath = (address: string) => `${contractPath(address)}/statements`;
export const webhooksPath = (address: string) => `${contractPath(address)}/webhooks`;

export const REQUESTS_ID = "requests";
/** A request in the log of its contract. */
export const requestPath = ({ contractAddress, requestId }: { contractAddress: string; requestId: string }) =>
  `${contractPath(contractAddress)}?request=${encodeURIComponent(requestId)}#${REQUESTS_ID}`;

/** Used by the server and the browser, so that they share a cache key. */
export const RECENT_BATCHES = 10;

export const statementPath = (address: string, of: string) => `${statementsPath(address)}?month=${of}`;

export const statementCsvPath = (address: string, of: string) =>
  `${statementsPath(address)}/export?month=${of}`;

export function transfersCsvPath(
  address: string,
  by: "created" | "finalized",
  { from, to }: { from: string; to: string },
): string {
  return `${contractPath(address)}/transfers/export?${new URLSearchParams({ by, from, to })}`;
}
