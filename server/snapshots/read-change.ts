import type { Database } from "@/db/client";
import { addressFromBytes, addressToBytes } from "@/server/kernel/address-bytes";
import { withPoints } from "@/server/kernel/batch-rows";
import { cached } from "@/server/kernel/cached";
import type { ServiceContext } from "@/server/kernel/context";
import { withLabels } from "@/server/recipients/labels";
import { getTaken, readConsoleSnapshots } from "./console-snapshots";
import { KEPT_SECONDS } from "./find-holders";
import { ofScope } from "./list-snapshots";
import type { SnapshotScope } from "./read-holdings";
import type { FiguresContext } from "./read-spread";
import type { SnapshotInput } from "./schema";
import { holdersOf } from "./snapshot-text";

export const CHANGE_KINDS = ["JOINED", "MORE", "LESS", "LEFT"] as const;
export type ChangeKind = (typeof CHANGE_KINDS)[number];

export const MOVERS_MAX = 5;

interface Difference {
  /** Holders that are new, gone, or hold more or less, and by how many points. None changed: no row. */
  groups: { kind: ChangeKind; holders: number; points: string }[];
  /** Whose holdings changed most. */
  movers: { address: string; before: string; after: string }[];
}

/**
 * What is different from the snapshot before, of the same holdings at an earlier time, as its worker stored
 * it. Null if there is none.
 * @throws DomainError `snapshot_not_found`
 */
export async function readChange(ctx: FiguresContext, input: SnapshotInput) {
  const { sql } = ctx.db;
  const { id, contractAddress, ...scope } = await getTaken(ctx, input);
  const contract = contractAddress === null ? null : addressToBytes(contractAddress);
  const [previous] = await readConsoleSnapshots(ctx, previousOf(ctx, { ...scope, contract }));
  if (!previous) return null;
  const [stored] = await sql<{ change: StoredChange | null }[]>`
    select figures -> 'change' as change from snapshots where id = ${id}::uuid`;
  const compute = () => compare(ctx.heavyDb ?? ctx.db, previous.id, id);
  // The one before may have been deleted since.
  const { groups, movers } =
    stored?.change?.previousId === previous.id
      ? stored.change
      : await cached("snapshot change", `${previous.id} ${id}`, KEPT_SECONDS, compute);
  return { previous, groups, movers: await withLabels(ctx.db, movers) };
}

interface StoredChange extends Difference {
  previousId: string;
}

/** What `readChange` reads, of a snapshot whose holders are stored. */
export async function computeChange(
  db: Database,
  { id, ...scope }: SnapshotScope & { id: string },
): Promise<StoredChange | null> {
  const [previous] = await db.sql<{ id: string }[]>`
    select id from snapshots where ${previousOf({ db }, scope)}`;
  return previous ? { previousId: previous.id, ...(await compare(db, previous.id, id)) } : null;
}

/** A condition on `snapshots`, with its order and limit. */
const previousOf = (
  ctx: Pick<ServiceContext, "db">,
  { contract, pointType, includesContracts, asOf }: SnapshotScope,
) => ctx.db.sql`
  ${ofScope(ctx, contract)} and status = 'TAKEN' and point_type = ${pointType}::point_type
    and includes_contracts = ${includesContracts}::boolean and as_of < ${asOf}::timestamptz
  order by as_of desc, requested_at desc, id limit 1`;

/** Both in one pass, grouped by address. A full join of two lists this long takes several times as long. */
async function compare(
  { sql }: Pick<Database, "sql">,
  beforeId: string,
  afterId: string,
): Promise<Difference> {
  const [row] = await sql<Record<keyof Difference, unknown[] | null>[]>`
    with moved as materialized (
      select address, sum(before) as before, sum(after) as after
      from (
        select u.to_address as address, u.points as before, 0 as after from ${holdersOf(sql, beforeId)}
        union all select u.to_address, 0, u.points from ${holdersOf(sql, afterId)}
      ) as held group by address having sum(before) <> sum(after)
    ), groups as (
      select case when before = 0 then 'JOINED' when after = 0 then 'LEFT' when after > before then 'MORE'
        else 'LESS' end as kind, count(*) as holders, abs(sum(after - before))::text as points
      from moved group by 1
    ), movers as (
      select encode(address, 'hex') as address, before::text, after::text
      from moved order by abs(after - before) desc, moved.address limit ${MOVERS_MAX}
    ) select (select json_agg(g) from groups g) as groups, (select json_agg(m) from movers m) as movers`;
  const { groups, movers } = row as { [Name in keyof Difference]: Difference[Name] | null };
  return {
    groups: (groups ?? []).map((group) => withPoints(group, "points")),
    movers: (movers ?? []).map((mover) => ({
      ...withPoints(mover, "before", "after"),
      address: addressFromBytes(Buffer.from(mover.address, "hex")),
    })),
  };
}
