import type { ServiceContext } from "../kernel/context";
import { addressError } from "../kernel/values/address-text";
import { addressFromBytes, addressToBytes } from "../kernel/values/addresses";
import { toTimestamp } from "../kernel/values/batch-rows";
import { BATCHES_READ, type FoundRow, findBatches, findContracts, findRecipients } from "./queries";
import { readText } from "./read-text";
import type { Found, FoundBatch } from "./search-schema";

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
  const isInvalid = isWhole && addressError(text.trim()) === "invalid_checksum";
  const unknown = isWhole && recipients.length === 0 && contracts.length === 0;
  return {
    batches: batches.slice(0, BATCHES_READ - 1).map(toFoundBatch),
    moreBatches: batches.length === BATCHES_READ ? id : null,
    contracts: contracts.map(({ address: bytes, ...rest }) => ({
      address: addressFromBytes(bytes),
      ...rest,
    })),
    recipients: recipients.map(({ address: bytes, ...rest }) => ({
      address: addressFromBytes(bytes),
      ...rest,
    })),
    unknownAddress: unknown ? addressFromBytes(addressToBytes(address)) : null,
    hasWrongChecksum: isInvalid,
  };
}

function toFoundBatch({ contractAddress, createdAt, ...rest }: FoundRow): FoundBatch {
  return { ...rest, contractAddress: addressFromBytes(contractAddress), createdAt: toTimestamp(createdAt) };
}
