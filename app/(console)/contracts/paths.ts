export const contractPath = (address: string) => `/contracts/${address}`;
export const recipientPath = (address: string) => `/recipients/${address}`;
export const statementsPath = (address: string) => `${contractPath(address)}/statements`;
export const webhooksPath = (address: string) => `${contractPath(address)}/webhooks`;
export const newBatchPath = (address: string) => `/batches/new?contract=${address}`;

/** Used by the server and the browser, so that they share a cache key. */
export const RECENT_BATCHES = 10;
