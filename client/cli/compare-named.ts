import { compareOwn, namedBatches, type StoredBatch, withComparison } from "../../terms/file/compare-own.ts";
import { FileProblem } from "../../terms/file/decode-file.ts";
import { printable } from "../../terms/file/file-words.ts";
import { counted } from "../../terms/output-text.ts";
import { ApiProblem } from "../src/client-error.ts";
import type { Client } from "../src/create-client.ts";
import type { ReadPayout } from "./read-file.ts";
import { EXIT, Failure } from "./terminal.ts";

/**
 * An export of the service, with what its rows have paid already. Other files stay as they are.
 * @param client of the contract; null to read nothing, which a note then says
 * @throws Failure when the file names too many batches; ApiProblem, ConnectionFailure
 */
export async function compareNamed(
  read: ReadPayout,
  client: Client | null,
  contractAddress: string,
  signal: AbortSignal,
): Promise<ReadPayout> {
  const named = namedOf(read);
  const [first] = named;
  if (!first) return read;
  if (!client) {
    const note =
      `The file is an export of ${counted(named.length, "batch", "batches")}, such as ` +
      `${printable(first.batchId)}. To see what is paid already, add --url, --contract and an access token.`;
    return { ...read, checked: { ...read.checked, notes: [...read.checked.notes, note] } };
  }
  const stored: StoredBatch[] = [];
  const own = contractAddress.toLowerCase();
  for (const { batchId, contractAddress: other } of named) {
    if (other !== null && other !== own) continue;
    const batch = await client.getBatch(batchId, { signal }).catch((error: unknown) => {
      if (error instanceof ApiProblem && error.code === "batch_not_found") return null;
      throw error;
    });
    if (!batch) continue;
    const { status, transfers, reverses = null } = batch;
    stored.push({ contractAddress: own, batchId, status, transfers, reverses });
  }
  const checked = withComparison(read.checked, compareOwn(read, stored, own));
  const { notes, paidAlready } = checked;
  return { ...read, checked: { ...checked, notes: paidAlready ? [...notes, paidAlready.text] : notes } };
}

function namedOf(read: ReadPayout) {
  try {
    return namedBatches(read);
  } catch (error) {
    throw error instanceof FileProblem ? new Failure(EXIT.badInput, `${read.name}: ${error.message}`) : error;
  }
}
