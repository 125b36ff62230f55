export const walletPath = (address: string) => `/r/${address}`;

export const receiptPath = (
  address: string,
  { contractAddress, batchId }: { contractAddress: string; batchId: string },
) => `${walletPath(address)}/${contractAddress}/${encodeURIComponent(batchId)}`;
