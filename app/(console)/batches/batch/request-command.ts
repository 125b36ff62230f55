import type { ConsoleBatchDetail, ConsoleTransfer } from "@/server/batches/list/console-schema";

/** The request that creates a batch. It is safe to run: PUT is idempotent. Not for a reversal, whose transfers it would pay. */
export function curlOf(
  publicUrl: string,
  batch: ConsoleBatchDetail,
  transfers: readonly ConsoleTransfer[],
): string {
  const rows = transfers.map(({ toAddress, points }) => `    ${JSON.stringify({ toAddress, points })}`);
  return `curl -X PUT '${publicUrl}/v1/contracts/${batch.contractAddress}/batches/${batch.id}' \\
  -H "Authorization: Bearer $TOKEN" \\
  -H "Content-Type: application/json" \\
  --data-binary '{
  "pointType": "${batch.pointType}",
  "secondsToFinalize": ${batch.waitSeconds},
  "transfers": [
${rows.join(",\n")}
  ]
}'`;
}
