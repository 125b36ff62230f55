import type { ServiceContext } from "../kernel/context";
import { addressError } from "../kernel/values/address-text";
import { addressFromBytes, addressToBytes } from "../kernel/values/addresses";
import { toTimestamp } from "../kernel/values/batch-rows";
import { BATCHES_READ, findBatches, findContracts, findRecipients } from "./queries";
import { readText } from "./read-text";
import type { Found } from "./search-schema";

/**
 * Searches batches by id or id prefix, contracts by address or label, and recipients by address. Each query reads a bounded
 * index range and returns few rows.
 */
export async function find(ctx: ServiceContext, text: string): Promise<Found> {
  const { batch, id, address, label } = readText(text);
  const [batches, contracts, recipients] = await Promise.all([
    findBatches(ctx.db, { batch, id }),
    findContracts(ctx.db, { address, label }),
    findRecipients(ctx.db, { address, label }),
  ]);
  const isWhole = address?.length === 42;
  const isUnknown = isWhole && recipients.length === 0 && contracts.length === 0;
  return {
    batches: batches.slice(0, BATCHES_READ - 1).map((row) => ({
      ...row,
      contractAddress: addressFromBytes(row.contractAddress),
      createdAt: toTimestamp(row.createdAt),
    })),
    moreBatches: batches.length === BATCHES_READ ? id : null,
    contracts: contracts.map((row) => ({ ...row, address: addressFromBytes(row.address) })),
    recipients: recipients.map((row) => ({ ...row, address: addressFromBytes(row.address) })),
    unknownAddress: isUnknown ? addressFromBytes(addressToBytes(address)) : null,
    hasWrongChecksum: isWhole && addressError(text.trim()) === "invalid_checksum",
  };
}
