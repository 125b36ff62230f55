export const ADDRESS_PATTERN = /^0x[0-9a-fA-F]{40}$/;

export const contractPath = (address: string) => `/contracts/${address}`;
export const recipientPath = (address: string) => `/recipients/${address}`;
export const webhooksPath = (address: string) => `${contractPath(address)}/webhooks`;
