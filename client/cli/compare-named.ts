import { OwnComparison } from "../../terms/file/compare-own.ts";
import { printable } from "../../terms/file/file-words.ts";
import { counted } from "../../terms/output-text.ts";
import { ApiProblem } from "../src/client-error.ts";
import type { Client } from "../src/create-client.ts";
import type { ReadPayout } from "./read-file.ts";
import type { Progress } from "./terminal.ts";

/**
 * An export of the service, with what its rows have paid already. Other files stay as they are.
 * @param client of the contract; null to read nothing, which a note then says
 * @throws ApiProblem, ConnectionFailure
 */
export async function compareNamed(
  read: ReadPayout,
  client: Client | null,
  contractAddress: string,
  progress: Progress,
  signal: AbortSignal,
): Promise<ReadPayout> {
  const comparison = new OwnComparison(read, contractAddress);
  const { named } = comparison;
  const [first] = named;
  if (!first) return read;
  if (!client) {
    const note =
      `The file is an export of ${counted(named.length, "batch", "batches")}, such as ` +
      `${printable(first.batchId)}. To see what is paid already, add --url, --contract and an access token.`;
    return { ...read, checked: { ...read.checked, notes: [...read.checked.notes, note] } };
  }
  const own = contractAddress.toLowerCase();
  const readable = named.filter((one) => one.contractAddress === own);
  try {
    for (const [at, { batchId }] of readable.entries()) {
      progress.show("Comparing", at, readable.length);
      const batch = await client.getBatch(batchId, { signal }).catch((error: unknown) => {
        if (error instanceof ApiProblem && error.code === "batch_not_found") return null;
        throw error;
      });
      if (!batch) continue;
      const { status, reverses = null, reversals = [] } = batch;
      const takenBack = new Set<string>();
      for (const reversal of reversals.filter(({ status }) => status === "FINALIZED")) {
        const { transfers } = await client.getBatch(reversal.id, { signal });
        for (const { toAddress } of transfers) takenBack.add(toAddress);
      }
      const transfers = batch.transfers.map((one) => ({ ...one, isTakenBack: takenBack.has(one.toAddress) }));
      comparison.add({ contractAddress: own, batchId, status, transfers, reverses });
    }
  } finally {
    progress.clear();
  }
  const checked = comparison.appliedTo(read.checked);
  const { notes, paidAlready } = checked;
  return { ...read, checked: { ...checked, notes: paidAlready ? [...notes, paidAlready.text] : notes } };
}
