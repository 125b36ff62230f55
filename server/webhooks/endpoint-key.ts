/** Identifies one endpoint. */
export interface EndpointKey {
  contractAddress: string;
  webhookId: string;
}
