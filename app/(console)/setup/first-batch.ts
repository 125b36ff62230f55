/** A command that submits one transfer; the token is a shell variable, because the service stores only its hash. */
export const firstBatchCommand = (publicUrl: string, contractAddress: string) => `TOKEN=ptb_…
curl -X POST ${publicUrl}/v1/contracts/${contractAddress}/batches \\
  -H "Authorization: Bearer $TOKEN" \\
  -H "Content-Type: application/json" \\
  -d '{"pointType":"PHASE2_POINTS","transfers":[{"toAddress":"0x000000000000000000000000000000000000dEaD","points":"10.5"}]}'`;
