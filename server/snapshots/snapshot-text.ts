import { createHash } from "node:crypto";
import type { Sql, TransactionSql } from "postgres";
import type { Scope } from "@/server/ledger/checkpoint";
import { ADDRESSES_OF, TRANSFERS_OF } from "@/server/ledger/packed-transfers";
import { formatPoints, parseSum, shortestPoints } from "@/terms/points";

/**
 * SQL for a holder's line of the canonical text of a snapshot. The text has one line per holder, sorted by
 * address, each `<address> <points>` and `\n`: the address in lower case, points in shortest form as in the
 * API. There is no head. So `sha256sum` of such a file is the snapshot's digest.
 */
const lineOf = (sql: Sql | TransactionSql, address: string, points: string) =>
  sql`'0x' || encode(${sql(address)}, 'hex') || ' ' || trim_scale(${sql(points)}) || chr(10)`;

/** A snapshot's ID as in `snapshot_holders`. */
export const snapshotBytes = (id: string): Buffer => Buffer.from(id.replaceAll("-", ""), "hex");

/** After `from`: each holder as `u.to_address` and `u.points`. */
export const holdersOf = (sql: Sql | TransactionSql, id: string) => sql`
  snapshot_holders t ${sql.unsafe(ADDRESSES_OF)} cross join lateral ${sql.unsafe(TRANSFERS_OF)} as u
  where t.snapshot_id = ${snapshotBytes(id)}`;

interface StoredRow {
  first: Buffer;
  text: string;
  holders: number;
  points: string;
}

export async function* storedRows(sql: Sql | TransactionSql, id: string): AsyncGenerator<StoredRow> {
  let after: Buffer = Buffer.alloc(0);
  for (;;) {
    const [row] = await sql<StoredRow[]>`
      select t.first_address as first, s.text, s.holders, s.points
      from (
        select first_address, addresses, points from snapshot_holders
        where snapshot_id = ${snapshotBytes(id)} and first_address > ${after} order by first_address limit 1
      ) as t ${sql.unsafe(ADDRESSES_OF)} cross join lateral (
        select string_agg(${lineOf(sql, "u.to_address", "u.points")}, '') as text, count(*)::int as holders,
          sum(u.points)::text as points
        from ${sql.unsafe(TRANSFERS_OF)} as u
      ) as s`;
    if (!row) return;
    yield row;
    after = row.first;
  }
}

interface Taken {
  id: string;
  holders: string;
  points: string;
  digest: string;
}

/**
 * The snapshots whose stored holders are not those that were taken: their digest, number or sum differs.
 */
export async function findChangedSnapshots(
  tx: TransactionSql,
  { snapshots: which }: Pick<Scope, "snapshots">,
): Promise<{ detail: string }[]> {
  const taken = await tx<Taken[]>`
    select s.id, s.holders::text, s.points::text, encode(s.digest, 'hex') as digest
    from snapshots s where s.status = 'TAKEN' and ${which} order by s.id`;
  const changed: { detail: string }[] = [];
  for (const { id, ...kept } of taken) {
    const stored = summaryOf(kept);
    const found = summaryOf(await recompute(tx, id));
    if (found !== stored)
      changed.push({ detail: `snapshot ${id}: stored ${stored}; its holders have ${found}` });
  }
  return changed;
}

const summaryOf = ({ holders, points, digest }: Omit<Taken, "id">) =>
  `${holders} holders, ${shortestPoints(points)} points, digest ${digest}`;

async function recompute(tx: TransactionSql, id: string): Promise<Omit<Taken, "id">> {
  const hash = createHash("sha256");
  let holders = 0;
  let points = 0n;
  for await (const row of storedRows(tx, id)) {
    hash.update(row.text);
    holders += row.holders;
    points += parseSum(shortestPoints(row.points));
  }
  return { holders: String(holders), points: formatPoints(points), digest: hash.digest("hex") };
}
