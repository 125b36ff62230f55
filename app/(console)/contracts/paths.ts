export const contractPath = (address: string) => `/contracts/${address}`;
export const recipientPath = (address: string) => `/recipients/${address}`;
export const statementsPath = (address: string) => `${contractPath(address)}/statements`;
export const webhooksPath = (address: string) => `${contractPath(address)}/webhooks`;
export const newBatchPath = (address: string) => `/batches/new?contract=${address}`;
