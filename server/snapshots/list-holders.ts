import { addressFromBytes, addressToBytes } from "@/server/kernel/address-bytes";
import type { ServiceContext } from "@/server/kernel/context";
import { decodeNumbers, encodeNumbers } from "@/server/kernel/cursor";
import { ADDRESSES_OF, TRANSFERS_OF } from "@/server/ledger/packed-transfers";
import { shortestPoints } from "@/terms/points";
import { DomainError } from "@/terms/problems";
import { ofScope, readSnapshots } from "./list-snapshots";
import { HOLDERS_LIMIT_DEFAULT, type ListHoldersInput, type SnapshotOut } from "./schema";
import { snapshotBytes, storedRows } from "./snapshot-text";

export const snapshotNotFound = (detail: string) => new DomainError("snapshot_not_found", detail);

const ADDRESS_MAX = 2n ** 160n - 1n;

/**
 * One page of a contract's holders, by address. @throws DomainError `snapshot_not_found`, `invalid_cursor`,
 * `cursor_mismatch`
 */
export async function listHolders(ctx: ServiceContext, input: ListHoldersInput) {
  const snapshot = await findTaken(ctx, input);
  const { limit = HOLDERS_LIMIT_DEFAULT, cursor } = input;
  const after = cursor === undefined ? Buffer.alloc(0) : decodePlace(cursor, snapshot);
  const rows = await readHoldersAfter(ctx, snapshot.id, after, limit + 1);
  // A cursor is only given where more follows.
  if (rows.length === 0 && snapshot.holders > 0)
    throw snapshotNotFound(`Snapshot ${snapshot.id} was deleted while its holders were read.`);
  const page = rows.slice(0, limit);
  return {
    snapshot,
    holders: page.map(toHolder),
    cursor: rows.length > limit ? encodePlace(page.at(-1)!.address, snapshot) : null,
  };
}

export interface HolderRow {
  address: Buffer;
  points: string;
}

export const toHolder = ({ address, points }: HolderRow) => ({
  address: addressFromBytes(address),
  points: shortestPoints(points),
});

/** The first holders above an address, in the order of addresses. @param limit 10,000 at most */
export async function readHoldersAfter(
  { db: { sql } }: ServiceContext,
  snapshotId: string,
  after: Buffer,
  limit: number,
): Promise<HolderRow[]> {
  const id = snapshotBytes(snapshotId);
  // The address is in the last packed row that does not begin after it. A page is in that row and the next.
  return await sql<HolderRow[]>`
    select u.to_address as address, u.points
    from (
      select first_address, addresses, points from snapshot_holders
      where snapshot_id = ${id} and first_address >= coalesce((
        select first_address from snapshot_holders
        where snapshot_id = ${id} and first_address <= ${after} order by first_address desc limit 1
      ), ''::bytea)
      order by first_address limit 2
    ) as t ${sql.unsafe(ADDRESSES_OF)} cross join lateral ${sql.unsafe(TRANSFERS_OF)} as u
    where u.to_address > ${after} order by u.to_address limit ${limit}`;
}

export interface ExportedHolder {
  /** In lower case, as in the canonical text. */
  address: string;
  points: string;
}

/** By address. @throws DomainError `snapshot_not_found` when it is deleted meanwhile, so no file is short */
export async function* exportHolders(
  { db: { sql } }: ServiceContext,
  { id, holders }: Pick<SnapshotOut, "id" | "holders">,
): AsyncGenerator<ExportedHolder[], void, undefined> {
  let left = holders;
  for await (const row of storedRows(sql, id)) {
    left -= row.holders;
    yield row.text.match(/.+/g)!.map((line) => {
      const [address, points] = line.split(" ") as [string, string];
      return { address, points };
    });
  }
  if (left > 0) throw snapshotNotFound(`Snapshot ${id} was deleted while it was downloaded.`);
}

async function findTaken(ctx: ServiceContext, input: ListHoldersInput): Promise<SnapshotOut> {
  const { sql } = ctx.db;
  const { snapshotId, pointType } = input;
  const [snapshot] = await readSnapshots(
    ctx,
    sql`${ofScope(ctx, addressToBytes(input.contractAddress))} and status = 'TAKEN'
      and point_type = ${pointType}::point_type ${snapshotId ? sql`and id = ${snapshotId}::uuid` : sql``}
      order by as_of desc, requested_at desc, id limit 1`,
  );
  if (snapshot) return snapshot;
  throw snapshotNotFound(
    snapshotId
      ? `The contract has no snapshot ${snapshotId} of ${pointType} that is TAKEN.`
      : `The contract has no snapshot of ${pointType} yet.`,
  );
}

const encodePlace = (address: Buffer, { id }: SnapshotOut) =>
  encodeNumbers([BigInt(`0x${address.toString("hex")}`)], id);

function decodePlace(cursor: string, { id }: SnapshotOut): Buffer {
  const [place] = decodeNumbers(cursor, id, [ADDRESS_MAX], "snapshot");
  return Buffer.from(place.toString(16).padStart(40, "0"), "hex");
}
