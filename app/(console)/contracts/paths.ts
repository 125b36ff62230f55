export const contractPath = (address: string) => `/contracts/${address}`;
export const recipientPath = (address: string) => `/recipients/${address}`;
export const webhooksPath = (address: string) => `${contractPath(address)}/webhooks`;
