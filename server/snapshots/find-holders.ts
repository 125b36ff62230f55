import { addressArray } from "@/server/kernel/address-bytes";
import { cached } from "@/server/kernel/cached";
import type { ServiceContext } from "@/server/kernel/context";
import { ADDRESSES_OF, TRANSFERS_OF } from "@/server/ledger/packed-transfers";
import { withLabels } from "@/server/recipients/labels";
import { type AddressPart, findContracts, findRecipients, readText } from "@/server/search/find";
import { getTaken } from "./console-snapshots";
import { type HolderRow, toHolder } from "./list-holders";
import type { FindHoldersInput, SnapshotInput } from "./schema";
import { holdersOf, snapshotBytes } from "./snapshot-text";

/** How long figures of a snapshot are kept, which never changes. */
export const KEPT_SECONDS = 3600;
export const LARGEST_MAX = 100;
export const FOUND_HOLDERS_MAX = 20;

const shown = (ctx: ServiceContext, rows: readonly HolderRow[]) => withLabels(ctx.db, rows.map(toHolder));
export type LabelledHolder = Awaited<ReturnType<typeof shown>>[number];

/** The largest first. @throws DomainError `snapshot_not_found` */
export async function listLargest(ctx: ServiceContext, input: SnapshotInput): Promise<LabelledHolder[]> {
  const { sql } = ctx.db;
  const { id } = await getTaken(ctx, input);
  const rows = await cached("largest holders", id, KEPT_SECONDS, async () => [
    ...(await sql<HolderRow[]>`
      select u.to_address as address, u.points from ${holdersOf(sql, id)}
      order by u.points desc, u.to_address limit ${LARGEST_MAX}`),
  ]);
  return await shown(ctx, rows);
}

/**
 * Holders by the start of their address, or by a part of their label, as the search of the console finds
 * labels.
 * @throws DomainError `snapshot_not_found`
 */
export async function findHolders(
  ctx: ServiceContext,
  { snapshotId, text }: FindHoldersInput,
): Promise<LabelledHolder[]> {
  const { id } = await getTaken(ctx, { snapshotId });
  const { address, label } = readText(text);
  const byAddress = address ? await startingWith(ctx, id, address) : [];
  if (byAddress.length > 0 || !label) return await shown(ctx, byAddress);
  const [contracts, recipients] = await Promise.all([
    findContracts(ctx.db, { address: null, label }),
    findRecipients(ctx.db, { address: null, label }),
  ]);
  const addresses = [...contracts, ...recipients].map((found) => found.address);
  return await shown(ctx, await holdingsOf(ctx, id, addresses));
}

/** The first row may begin before the start of the address, and the last one end after it. */
const startingWith = ({ db: { sql } }: ServiceContext, id: string, { start, end }: AddressPart) => {
  const [first, last] = ["0", "f"].map((digit) => Buffer.from(start.padEnd(40, digit), "hex"));
  return sql<HolderRow[]>`
    select u.to_address as address, u.points
    from (
      select addresses, points from snapshot_holders
      where snapshot_id = ${snapshotBytes(id)} and first_address <= ${last!}
        and first_address >= coalesce((
          select first_address from snapshot_holders
          where snapshot_id = ${snapshotBytes(id)} and first_address <= ${first!}
          order by first_address desc limit 1
        ), ''::bytea)
    ) as t ${sql.unsafe(ADDRESSES_OF)} cross join lateral ${sql.unsafe(TRANSFERS_OF)} as u
    where u.to_address >= ${first!} and u.to_address <= ${last!}
      and right(encode(u.to_address, 'hex'), ${end.length}) = ${end}
    order by u.to_address limit ${FOUND_HOLDERS_MAX}`;
};

/** Each address is in the last packed row that does not begin after it. */
async function holdingsOf({ db: { sql } }: ServiceContext, id: string, addresses: readonly Buffer[]) {
  return await sql<HolderRow[]>`
    select a.address, u.points
    from unnest(${addressArray(addresses)}::bytea[]) as a (address) cross join lateral (
      select addresses, points from snapshot_holders
      where snapshot_id = ${snapshotBytes(id)} and first_address <= a.address
      order by first_address desc limit 1
    ) as t ${sql.unsafe(ADDRESSES_OF)} cross join lateral ${sql.unsafe(TRANSFERS_OF)} as u
    where u.to_address = a.address order by u.points desc, a.address`;
}
