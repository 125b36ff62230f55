import type { PendingQuery, Row, TransactionSql } from "postgres";
import { snapshotBytes } from "./snapshot-text";

interface Made {
  id: string;
  claims: string;
  sum: string;
  nodes: string;
  root: string | null;
}

/**
 * The allocations whose stored claims are not those that were made: their number, sum, tree's size or root
 * differs.
 * @param which a condition on `allocations s`
 */
export async function findChangedAllocations(
  tx: TransactionSql,
  which: PendingQuery<Row[]>,
): Promise<{ detail: string }[]> {
  const made = await tx<Made[]>`
    select s.id, s.claims::text, s.sum::text, (2 * s.claims::bigint - 1)::text as nodes,
      encode(s.root, 'hex') as root
    from allocations s where s.status = 'READY' and ${which} order by s.id`;
  const changed: { detail: string }[] = [];
  for (const { id, ...kept } of made) {
    const stored = summaryOf(kept);
    const found = summaryOf(await recount(tx, snapshotBytes(id)));
    if (found !== stored) changed.push({ detail: `allocation ${id}: stored ${stored}; it has ${found}` });
  }
  return changed;
}

const summaryOf = ({ claims, sum, nodes, root }: Omit<Made, "id">) =>
  `${claims} claims of ${sum} base units, ${nodes} nodes, root ${root}`;

async function recount(tx: TransactionSql, id: Buffer): Promise<Omit<Made, "id">> {
  const [claims] = await tx<Pick<Made, "claims" | "sum">[]>`
    select coalesce(sum(cardinality(c.amounts)), 0)::text as claims, coalesce(sum(a.sum), 0)::text as sum
    from allocation_claims c cross join lateral (select sum(amount) from unnest(c.amounts) as amount) as a
    where c.allocation_id = ${id}`;
  const [nodes] = await tx<Pick<Made, "nodes" | "root">[]>`
    select coalesce(sum(octet_length(hashes) / 32), 0)::text as nodes,
      encode((string_agg(substring(hashes for 32), ''::bytea) filter (where first_node = 0)), 'hex') as root
    from allocation_nodes where allocation_id = ${id}`;
  return { ...claims!, ...nodes! };
}
