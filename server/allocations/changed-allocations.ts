import { createHash } from "node:crypto";
import type { TransactionSql } from "postgres";
import { treeHost } from "@/server/kernel/keccak";
import type { Scope } from "@/server/ledger/checkpoint";
import { snapshotBytes } from "@/server/snapshots/snapshot-text";
import { makeClaimTree } from "@/terms/claims/claim-tree";
import { PartMissingError, readClaims } from "./read-claims";

interface Counted {
  claims: string;
  sum: string;
}

/**
 * The allocations whose stored claims are not those that were made: their number, sum or root differs, or
 * what proofs are read from is not the tree of these claims.
 */
export async function findChangedAllocations(
  tx: TransactionSql,
  { snapshots: which }: Pick<Scope, "snapshots">,
): Promise<{ detail: string }[]> {
  const made = await tx<(Counted & { id: string; root: string })[]>`
    select s.id, s.claims::text, s.sum::text, encode(s.root, 'hex') as root
    from allocations s where s.status = 'READY' and ${which} order by s.id`;
  const changed: { detail: string }[] = [];
  for (const { id, root, ...kept } of made) {
    const bytes = snapshotBytes(id);
    const found = summaryOf(await recount(tx, bytes));
    const difference =
      found === summaryOf(kept)
        ? await treeDifference(tx, bytes, { root, claims: Number(kept.claims) })
        : `it has ${found}`;
    if (difference)
      changed.push({ detail: `allocation ${id}: stored ${summaryOf(kept)}, root ${root}; ${difference}` });
  }
  return changed;
}

const summaryOf = ({ claims, sum }: Counted) => `${claims} claims of ${sum} base units`;

async function recount(tx: TransactionSql, id: Buffer): Promise<Counted> {
  const [counted] = await tx<Counted[]>`
    select coalesce(sum(cardinality(c.amounts)), 0)::text as claims, coalesce(sum(a.sum), 0)::text as sum
    from allocation_claims c cross join lateral (select sum(amount) from unnest(c.amounts) as amount) as a
    where c.allocation_id = ${id}`;
  return counted!;
}

/** Makes the tree again, since amounts that were changed for each other have the same sum. */
async function treeDifference(
  tx: TransactionSql,
  id: Buffer,
  made: { root: string; claims: number },
): Promise<string | null> {
  const read = readClaims(tx, id, made.claims);
  const tree = await makeClaimTree(await treeHost(), read, made.claims).catch((error: unknown) => {
    if (error instanceof PartMissingError) return error.message;
    throw error;
  });
  if (typeof tree === "string") return tree;
  const root = Buffer.from(tree.root).toString("hex");
  if (root !== made.root) return `its claims have the root ${root}`;
  const [nodes] = await tx<{ digest: string | null }[]>`
    select encode(sha256(string_agg(hashes, ''::bytea order by first_node)), 'hex') as digest
    from allocation_nodes where allocation_id = ${id}`;
  if (nodes!.digest !== digestOf(tree.nodes)) return "the nodes are not those of its tree";
  const [leaves] = await tx<{ digest: string | null }[]>`
    select encode(sha256(string_agg(array_to_string(positions, ','), ',' order by first_index)::bytea), 'hex')
      as digest
    from allocation_claims where allocation_id = ${id}`;
  return leaves!.digest === digestOf(tree.positions.join(","))
    ? null
    : "leaves have other places in its tree";
}

const digestOf = (content: string | Uint8Array) => createHash("sha256").update(content).digest("hex");
