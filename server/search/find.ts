import type { Database } from "@/db/client";
import { addressFromBytes, addressToBytes } from "@/server/kernel/address-bytes";
import type { ServiceContext } from "@/server/kernel/context";
import { findRequests } from "@/server/requests/list-requests";
import { addressError } from "@/terms/address-text";
import type { BatchOut } from "@/terms/batch-schema";
import { REFERENCE_PATTERN } from "@/terms/batch-terms";
import { decoded } from "@/terms/output-text";

export type FoundBatch = Pick<BatchOut, "id" | "contractAddress" | "status"> & {
  contractLabel: string;
  isReversal: boolean;
  /** What was searched, if a transfer of the batch has it. */
  reference: string | null;
};

export type Found = Awaited<ReturnType<typeof find>>;

export type ReadText = ReturnType<typeof readText>;

const BATCH_PATH = /(?:^|\/)(0x[0-9a-fA-F]{40})\/([A-Za-z0-9._:~-]{1,64})\/?(?:[?#].*)?$/;
const ID = /^[A-Za-z0-9._:~-]{2,64}$/;
/** An address or its start. Without `0x`, fewer digits are an ID or a label. */
const ADDRESS = /^(?:0[xX]([0-9a-fA-F]{1,40})|([0-9a-fA-F]{6,40}))$/;
/** As the console and wallets shorten an address: `0x5aAe…1BeAed`. */
const SHORT_ADDRESS = /^(?:0[xX])?([0-9a-fA-F]{4,38})(?:…|\.{2,3})([0-9a-fA-F]{2,38})$/;
const LABEL_CHARS_MAX = 80;
const ADDRESS_DIGITS = 40;

/** The digits that an address begins and ends with, in lower case. The whole address is its start. */
export interface AddressPart {
  start: string;
  end: string;
}

/** What the text could mean. Several at the same time, since an id can look like an address prefix. */
export function readText(text: string) {
  const word = text.trim();
  const path = BATCH_PATH.exec(decoded(word));
  const isPrefixed = /^0[xX]/.test(word);
  const [, prefixed, bare] = ADDRESS.exec(word) ?? [];
  const [, start = prefixed ?? bare, end = ""] = SHORT_ADDRESS.exec(word) ?? [];
  const address = start ? { start: start.toLowerCase(), end: end.toLowerCase() } : null;
  const isAddress = address !== null && isPrefixed;
  return {
    /** One batch by contract and id, from a console URL. */
    batch: path ? { contractAddress: path[1]!, id: path[2]! } : null,
    id: ID.test(word) ? word : null,
    reference: word.length >= 2 && !isAddress && REFERENCE_PATTERN.test(word) ? word : null,
    address,
    /** The whole address with its letter case, to check its checksum. */
    wholeAddress: start?.length === ADDRESS_DIGITS ? `0x${start}` : null,
    // Postgres cannot store NUL characters.
    label:
      word.length >= 2 && word.length <= LABEL_CHARS_MAX && !isAddress && !/\0|\p{Surrogate}/u.test(word)
        ? word
        : null,
  };
}

/** What the text finds. Each query reads a bounded range of an index or a bounded number of rows. */
export async function find(ctx: ServiceContext, text: string) {
  const { batch, id, reference, address, wholeAddress, label } = readText(text);
  const [byId, payouts, files, paying, contracts, recipients, requests, snapshots] = await Promise.all([
    findBatches(ctx.db, { batch, id }),
    findPayouts(ctx.db, id),
    findFiles(ctx.db, label),
    findPaying(ctx.db, reference),
    findContracts(ctx.db, { address, label }),
    findRecipients(ctx.db, { address, label }),
    findRequests(ctx.db, text.trim()),
    findSnapshots(ctx.db, label),
  ]);
  const isUnknown = wholeAddress && recipients.length === 0 && contracts.length === 0;
  return {
    batches: [...paying, ...byId.slice(0, BATCHES_READ - 1)].map((row) => ({
      ...row,
      contractAddress: addressFromBytes(row.contractAddress),
    })),
    payouts: [...payouts, ...files]
      .filter((payout, at, all) => all.findIndex((one) => isSame(one, payout)) === at)
      .slice(0, FOUND_MAX)
      .map((row) => ({ ...row, contractAddress: addressFromBytes(row.contractAddress) })),
    /** The id prefix, if more batches share it than are returned. */
    moreBatches: byId.length === BATCHES_READ ? id : null,
    contracts: contracts.map((row) => ({ ...row, address: addressFromBytes(row.address) })),
    /** Addresses that have an account or a transfer, and those with a matching label. */
    recipients: recipients.map((row) => ({ ...row, address: addressFromBytes(row.address) })),
    /** A complete address that is not used anywhere yet. */
    unknownAddress: isUnknown ? addressFromBytes(addressToBytes(wholeAddress.toLowerCase())) : null,
    /** Contracts whose request log has this request ID. */
    requests,
    snapshots,
    /** The address is in mixed case but fails its EIP-55 checksum, so it may contain a typo. */
    hasWrongChecksum: wholeAddress !== null && addressError(wholeAddress) === "invalid_checksum",
  };
}

/** One more than shown, to detect that there are more. */
export const BATCHES_READ = 9;
/** Of each other kind. */
const FOUND_MAX = 5;
const PARTS_READ = 500;
/** Labels have no index, because contracts are registered by hand. The search reads at most this many. */
const LABELS_READ_MAX = 5000;
/** Of each table. They may all be contracts, which are no recipients. */
const ADDRESSES_FOUND_MAX = 2 * FOUND_MAX;

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
      b.reverses_seq is not null as "isReversal", null as reference
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
    order by p.id, p."contractAddress" limit ${FOUND_MAX}`;
}

const isSame = (one: FoundPayout, other: FoundPayout) =>
  one.id === other.id && one.contractAddress.equals(other.contractAddress);

export async function findFiles(db: Database, label: string | null): Promise<FoundPayout[]> {
  if (!label) return [];
  return await db.sql<FoundPayout[]>`
    select f.payout_id as id, f.contract_address as "contractAddress", c.label as "contractLabel",
      f.file_name as "fileName"
    from (
      select contract_address, payout_id, file_name, batch_seq from payout_parts
      where part = 1 order by batch_seq desc limit ${LABELS_READ_MAX}
    ) as f join contracts c on c.address = f.contract_address
    where strpos(lower(f.file_name), lower(${label})) > 0
    order by f.batch_seq desc limit ${FOUND_MAX}`;
}

/** The last batch, perhaps cancelled or taken back, that each of a few contracts pays a reference with. */
export async function findPaying(db: Database, reference: string | null): Promise<FoundRow[]> {
  if (reference === null) return [];
  return await db.sql<FoundRow[]>`
    select b.id, b.contract_address as "contractAddress", c.label as "contractLabel", b.status,
      false as "isReversal", r.reference
    from contracts c cross join lateral (
      select contract_address, batch_seq, reference from transfer_references
      where contract_address = c.address and reference = ${reference} and is_live limit 1
    ) as r join batches b on b.contract_address = r.contract_address and b.seq = r.batch_seq
    order by b.created_at desc limit ${FOUND_MAX}`;
}

export async function findContracts(db: Database, { address, label }: Pick<ReadText, "address" | "label">) {
  const byAddress = address
    ? await db.sql<{ address: Buffer; label: string }[]>`
        select address, label from contracts where address in (${matching(db, "contracts", address)})
        order by address limit ${FOUND_MAX}`
    : [];
  if (byAddress.length > 0 || !label) return byAddress;
  return await db.sql<{ address: Buffer; label: string }[]>`
    select address, label from (select address, label from contracts limit ${LABELS_READ_MAX}) as read
    where strpos(lower(label), lower(${label})) > 0
    order by strpos(lower(label), lower(${label})), label limit ${FOUND_MAX}`;
}

/** Recipients and labelled addresses that are not contracts, by address, or by a part of the label. */
export async function findRecipients(db: Database, { address, label }: Pick<ReadText, "address" | "label">) {
  const byAddress = address ? await recipientsByAddress(db, address) : [];
  if (byAddress.length > 0 || !label) return byAddress;
  return await db.sql<FoundRecipient[]>`
    with found as materialized (
      select address, label
      from (select address, label from recipient_labels limit ${LABELS_READ_MAX}) as read
      where strpos(lower(label), lower(${label})) > 0
      order by strpos(lower(label), lower(${label})), label limit ${ADDRESSES_FOUND_MAX}
    ), of_contracts as materialized (
      select c.address from found f join contracts c on c.address = f.address
    )
    select address, label from found where address not in (select address from of_contracts)
    order by strpos(lower(label), lower(${label})), label limit ${FOUND_MAX}`;
}

type FoundRecipient = { address: Buffer; label: string | null };

/** Who has only pending transfers has no account yet. */
async function recipientsByAddress(db: Database, address: AddressPart) {
  return await db.sql<FoundRecipient[]>`
    with paid as materialized (${matching(db, "accounts", address)}),
    labelled as materialized (${matching(db, "recipient_labels", address)}),
    expecting as materialized (${matching(db, "recipient_transfers", address, "to_address")}),
    found as materialized (
      select address from paid union select address from labelled union select address from expecting
    ), of_contracts as materialized (
      select c.address from found f join contracts c on c.address = f.address
    )
    select f.address, l.label from found f left join recipient_labels l on l.address = f.address
    where f.address not in (select address from of_contracts) order by f.address limit ${FOUND_MAX}`;
}

/** The first addresses that begin and end so: a range of the column's index. Many rows may be of one. */
function matching({ sql }: Database, table: string, { start, end }: AddressPart, column = "address") {
  const [from, to] = ["0", "f"].map((digit) => Buffer.from(start.padEnd(ADDRESS_DIGITS, digit), "hex"));
  return sql`
    select distinct ${sql(column)} as address from ${sql(table)}
    where ${sql(column)} >= ${from!} and ${sql(column)} <= ${to!}
      and right(encode(${sql(column)}, 'hex'), ${end.length}) = ${end}
    order by address limit ${ADDRESSES_FOUND_MAX}`;
}

/** Snapshots, and allocations with the snapshot of each, by a part of their name: an exact match first. */
export async function findSnapshots({ sql }: Database, label: string | null) {
  if (!label) return [];
  return await sql<{ id: string; name: string; snapshotName: string | null }[]>`
    select id, name, "snapshotName"
    from (
      (select id, name, null as "snapshotName" from snapshots limit ${LABELS_READ_MAX})
      union all
      (select a.id, a.name, s.name from allocations a join snapshots s on s.id = a.snapshot_id
        limit ${LABELS_READ_MAX})
    ) as read
    where strpos(lower(name), lower(${label})) > 0
    order by lower(name) <> lower(${label}), strpos(lower(name), lower(${label})), name, id
    limit ${FOUND_MAX}`;
}

/** The smallest string after all strings with this prefix. Ids are ASCII. */
const after = (prefix: string): string =>
  prefix.slice(0, -1) + String.fromCharCode(prefix.charCodeAt(prefix.length - 1) + 1);
