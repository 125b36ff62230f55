import type { Database } from "@/db/client";
import { addressFromBytes, addressToBytes } from "@/server/kernel/address-bytes";
import { toTimestamp } from "@/server/kernel/batch-rows";
import type { ServiceContext } from "@/server/kernel/context";
import { findRequests } from "@/server/requests/list-requests";
import { addressError } from "@/terms/address-text";
import type { BatchOut } from "@/terms/batch-schema";
import { REFERENCE_PATTERN } from "@/terms/batch-terms";

export type FoundBatch = Pick<BatchOut, "id" | "contractAddress" | "status" | "createdAt"> & {
  contractLabel: string;
  isReversal: boolean;
  /** What was searched, if a transfer of the batch has it. */
  reference: string | null;
};

export type Found = Awaited<ReturnType<typeof find>>;

export type ReadText = ReturnType<typeof readText>;

const BATCH_PATH = /(?:^|\/)(0x[0-9a-fA-F]{40})\/([A-Za-z0-9._:~-]{1,64})\/?(?:[?#].*)?$/;
const ID = /^[A-Za-z0-9._:~-]{2,64}$/;
const ADDRESS = /^0x[0-9a-fA-F]{1,40}$/;
const LABEL_CHARS_MAX = 80;

/** What the text could mean. Several at the same time, since an id can look like an address prefix. */
export function readText(text: string) {
  const word = text.trim();
  const path = BATCH_PATH.exec(decoded(word));
  const address = ADDRESS.test(word) ? word.toLowerCase() : null;
  return {
    /** One batch by contract and id, from a console URL. */
    batch: path ? { contractAddress: path[1]!, id: path[2]! } : null,
    id: ID.test(word) ? word : null,
    reference: word.length >= 2 && !address && REFERENCE_PATTERN.test(word) ? word : null,
    /** An address or address prefix, in lower case. */
    address,
    // Postgres cannot store NUL characters.
    label:
      word.length >= 2 && word.length <= LABEL_CHARS_MAX && !address && !/\0|\p{Surrogate}/u.test(word)
        ? word
        : null,
  };
}

function decoded(word: string): string {
  try {
    return decodeURIComponent(word);
  } catch {
    return word;
  }
}

/** Batches, contracts and recipients. Each query reads a bounded range of an index, and few rows. */
export async function find(ctx: ServiceContext, text: string) {
  const { batch, id, reference, address, label } = readText(text);
  const [byId, payouts, paying, contracts, recipients, requests] = await Promise.all([
    findBatches(ctx.db, { batch, id }),
    findPayouts(ctx.db, id),
    findPaying(ctx.db, reference),
    findContracts(ctx.db, { address, label }),
    findRecipients(ctx.db, { address, label }),
    findRequests(ctx.db, text.trim()),
  ]);
  const isWhole = address?.length === 42;
  const isUnknown = isWhole && recipients.length === 0 && contracts.length === 0;
  return {
    batches: [...paying, ...byId.slice(0, BATCHES_READ - 1)].map((row) => ({
      ...row,
      contractAddress: addressFromBytes(row.contractAddress),
      createdAt: toTimestamp(row.createdAt),
    })),
    payouts: payouts.map((row) => ({ ...row, contractAddress: addressFromBytes(row.contractAddress) })),
    /** The id prefix, if more batches share it than are returned. */
    moreBatches: byId.length === BATCHES_READ ? id : null,
    contracts: contracts.map((row) => ({ ...row, address: addressFromBytes(row.address) })),
    /** Addresses that have an account, and those with a matching label. */
    recipients: recipients.map((row) => ({ ...row, address: addressFromBytes(row.address) })),
    /** A complete address that is not used anywhere yet. */
    unknownAddress: isUnknown ? addressFromBytes(addressToBytes(address)) : null,
    /** Contracts whose request log has this request ID. */
    requests,
    /** The address is in mixed case but fails its EIP-55 checksum, so it may contain a typo. */
    hasWrongChecksum: isWhole && addressError(text.trim()) === "invalid_checksum",
  };
}

/** One more than shown, to detect that there are more. */
export const BATCHES_READ = 9;
const PAYING_MAX = 5;
const PAYOUTS_MAX = 5;
const PARTS_READ = 500;
const CONTRACTS_MAX = 5;
const RECIPIENTS_MAX = 5;
/** Labels have no index, because contracts are registered by hand. The search reads at most this many. */
const LABELS_READ_MAX = 5000;

type FoundRow = Omit<FoundBatch, "contractAddress"> & { contractAddress: Buffer };

/** The batch with this contract and id, or those with this id prefix, by id: an exact match comes first. */
export async function findBatches(
  db: Database,
  { batch, id }: Pick<ReadText, "batch" | "id">,
): Promise<FoundRow[]> {
  if (!batch && !id) return [];
  const ofContract = batch ? db.sql`where c.address = ${addressToBytes(batch.contractAddress)}` : db.sql``;
  // Range bounds instead of `^@`, so that a generic plan also reads index ranges: one of each contract.
  const isWanted = batch ? db.sql`id = ${batch.id}` : db.sql`id ~>=~ ${id!} and id ~<~ ${after(id!)}`;
  return await db.sql<FoundRow[]>`
    select b.id, b.contract_address as "contractAddress", c.label as "contractLabel", b.status,
      b.created_at as "createdAt", b.reverses_seq is not null as "isReversal", null as reference
    from contracts c cross join lateral (
      select id, contract_address, status, created_at, reverses_seq from batches
      where contract_address = c.address and ${isWanted} order by id using ~<~ limit ${BATCHES_READ}
    ) as b ${ofContract}
    order by b.id using ~<~, b.created_at desc limit ${BATCHES_READ}`;
}

interface FoundPayout {
  id: string;
  contractAddress: Buffer;
  contractLabel: string;
  fileName: string | null;
}

/** Those with this ID prefix, among the first batches of each contract that are part of one. */
export async function findPayouts(db: Database, id: string | null): Promise<FoundPayout[]> {
  if (!id) return [];
  return await db.sql<FoundPayout[]>`
    select distinct on (p.id, p."contractAddress")
      p.id, p."contractAddress", c.label as "contractLabel", p."fileName"
    from contracts c cross join lateral (
      select payout_id as id, contract_address as "contractAddress", file_name as "fileName"
      from payout_parts
      where contract_address = c.address and payout_id >= ${id} and payout_id < ${after(id)}
      order by payout_id limit ${PARTS_READ}
    ) as p
    order by p.id, p."contractAddress" limit ${PAYOUTS_MAX}`;
}

/** The last batch, perhaps cancelled or taken back, that each of a few contracts pays a reference with. */
export async function findPaying(db: Database, reference: string | null): Promise<FoundRow[]> {
  if (reference === null) return [];
  return await db.sql<FoundRow[]>`
    select b.id, b.contract_address as "contractAddress", c.label as "contractLabel", b.status,
      b.created_at as "createdAt", false as "isReversal", r.reference
    from contracts c cross join lateral (
      select contract_address, batch_seq, reference from transfer_references
      where contract_address = c.address and reference = ${reference} and is_live limit 1
    ) as r join batches b on b.contract_address = r.contract_address and b.seq = r.batch_seq
    order by b.created_at desc limit ${PAYING_MAX}`;
}

export async function findContracts(db: Database, { address, label }: Pick<ReadText, "address" | "label">) {
  if (address) {
    const { from, to } = addressRange(address);
    return await db.sql<{ address: Buffer; label: string }[]>`
      select address, label from contracts where address >= ${from} and address <= ${to}
      order by address limit ${CONTRACTS_MAX}`;
  }
  if (!label) return [];
  return await db.sql<{ address: Buffer; label: string }[]>`
    select address, label from (select address, label from contracts limit ${LABELS_READ_MAX}) as read
    where strpos(lower(label), lower(${label})) > 0
    order by strpos(lower(label), lower(${label})), label limit ${CONTRACTS_MAX}`;
}

/** Accounts and labelled addresses that are not contracts, by address prefix, or by a part of the label. */
export async function findRecipients(db: Database, { address, label }: Pick<ReadText, "address" | "label">) {
  if (address) return await recipientsByAddress(db, address);
  if (!label) return [];
  return await db.sql<FoundRecipient[]>`
    with found as materialized (
      select address, label
      from (select address, label from recipient_labels limit ${LABELS_READ_MAX}) as read
      where strpos(lower(label), lower(${label})) > 0
      order by strpos(lower(label), lower(${label})), label limit ${RECIPIENTS_MAX + CONTRACTS_MAX}
    ), of_contracts as materialized (
      select c.address from found f join contracts c on c.address = f.address
    )
    select address, label from found where address not in (select address from of_contracts)
    order by strpos(lower(label), lower(${label})), label limit ${RECIPIENTS_MAX}`;
}

type FoundRecipient = { address: Buffer; label: string | null };

async function recipientsByAddress(db: Database, address: string) {
  const { from, to } = addressRange(address);
  const most = (RECIPIENTS_MAX + CONTRACTS_MAX) * 2;
  return await db.sql<FoundRecipient[]>`
    with paid as materialized (
      select address from accounts where address >= ${from} and address <= ${to}
      order by address limit ${most}
    ), labelled as materialized (
      select address, label from recipient_labels where address >= ${from} and address <= ${to}
      order by address limit ${most}
    ), found as materialized (
      select address from paid union select address from labelled
    ), of_contracts as materialized (
      select c.address from found f join contracts c on c.address = f.address
    )
    select f.address, l.label from found f left join labelled l on l.address = f.address
    where f.address not in (select address from of_contracts) order by f.address limit ${RECIPIENTS_MAX}`;
}

/** The smallest string after all strings with this prefix. Ids are ASCII. */
const after = (prefix: string): string =>
  prefix.slice(0, -1) + String.fromCharCode(prefix.charCodeAt(prefix.length - 1) + 1);

/** The lowest and highest address with this prefix. */
function addressRange(address: string): { from: Buffer; to: Buffer } {
  const digits = address.slice(2);
  return { from: Buffer.from(digits.padEnd(40, "0"), "hex"), to: Buffer.from(digits.padEnd(40, "f"), "hex") };
}
