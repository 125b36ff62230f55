import type { Sql, TransactionSql } from "postgres";
import { type ClaimTree, NODE_BYTES, siblingsOf } from "@/terms/claims/claim-tree";
import { CLAIMS_PER_ROW } from "./allocate";
import { missing } from "./read-claims";

/** The bound of a row of `allocation_nodes`. */
const NODES_PER_ROW = 32;
const ROWS_AT_ONCE = 1024;
/** Of `allocation_claims`. */
const CLAIM_ROWS_AT_ONCE = 32;

/** @param id the allocation's UUID as 16 bytes, as everywhere here */
export async function storePositions(tx: TransactionSql, id: Buffer, positions: Uint32Array): Promise<void> {
  for (let first = 0; first < positions.length; first += CLAIMS_PER_ROW)
    await tx`
      update allocation_claims
      set positions = ${`{${positions.subarray(first, first + CLAIMS_PER_ROW).join(",")}}`}::text::int[]
      where allocation_id = ${id} and first_index = ${first}::int`;
}

/** With RETURNING, Citus commits it in two phases. @param nodes of the whole tree */
export async function storeNodes(tx: TransactionSql, id: Buffer, nodes: Uint8Array): Promise<void> {
  const nodesAtOnce = NODES_PER_ROW * ROWS_AT_ONCE;
  for (let first = 0; first * NODE_BYTES < nodes.length; first += nodesAtOnce) {
    const part = nodes.subarray(first * NODE_BYTES, (first + nodesAtOnce) * NODE_BYTES);
    await tx`
      insert into allocation_nodes (allocation_id, first_node, hashes)
      select ${id}::bytea, ${first}::int + node,
        substring(${part}::bytea from node * ${NODE_BYTES}::int + 1
          for ${NODES_PER_ROW * NODE_BYTES}::int)
      from generate_series(0, ${part.length / NODE_BYTES - 1}::int, ${NODES_PER_ROW}::int) as node
      returning 1`;
  }
}

/**
 * The whole tree, for files. It is read much faster than made.
 * @throws DomainError `allocation_not_found` when the allocation is deleted meanwhile
 */
export async function readTree(sql: Sql, id: Buffer, claims: number): Promise<ClaimTree> {
  const nodes = new Uint8Array((2 * claims - 1) * NODE_BYTES);
  const nodesAtOnce = NODES_PER_ROW * ROWS_AT_ONCE;
  for (let first = 0; first * NODE_BYTES < nodes.length; first += nodesAtOnce) {
    const [row] = await sql<{ hashes: Buffer | null }[]>`
      select string_agg(hashes, ''::bytea order by first_node) as hashes from allocation_nodes
      where allocation_id = ${id}
        and first_node >= ${first}::int and first_node < ${first + nodesAtOnce}::int`;
    const length = Math.min(nodesAtOnce * NODE_BYTES, nodes.length - first * NODE_BYTES);
    if (row!.hashes?.length !== length) throw await missing(sql, id, `node ${first} of ${claims} claims`);
    nodes.set(row!.hashes, first * NODE_BYTES);
  }
  const positions = new Uint32Array(claims);
  const placesAtOnce = CLAIMS_PER_ROW * CLAIM_ROWS_AT_ONCE;
  for (let first = 0; first < claims; first += placesAtOnce) {
    const [row] = await sql<{ positions: string | null }[]>`
      select string_agg(array_to_string(positions, ','), ',' order by first_index) as positions
      from allocation_claims
      where allocation_id = ${id}
        and first_index >= ${first}::int and first_index < ${first + placesAtOnce}::int`;
    const places = row!.positions?.split(",") ?? [];
    if (places.length !== Math.min(placesAtOnce, claims - first))
      throw await missing(sql, id, `a place from ${first} of ${claims}`);
    positions.set(places.map(Number), first);
  }
  return { root: nodes.subarray(0, NODE_BYTES), nodes, positions };
}

/** The proof of the leaf at this place among the nodes: the lowest hash in the tree first. */
export async function readProof(sql: Sql, id: Buffer, position: number): Promise<string[]> {
  const siblings = siblingsOf(position);
  const rows = siblings.map((node) => node - (node % NODES_PER_ROW));
  const hashes = await sql<{ hash: string }[]>`
    with rows as materialized (
      select first_node, hashes from allocation_nodes
      where allocation_id = ${id} and first_node = any(${`{${rows}}`}::text::int[])
    ) select '0x' || encode(substring(t.hashes
        from mod(s.node, ${NODES_PER_ROW}::int) * ${NODE_BYTES}::int + 1
        for ${NODE_BYTES}::int), 'hex') as hash
    from unnest(${`{${siblings}}`}::text::int[]) with ordinality as s (node, place)
      join rows t on t.first_node = s.node - mod(s.node, ${NODES_PER_ROW}::int)
    order by s.place`;
  if (hashes.length !== siblings.length) throw new Error("nodes of an allocation are not stored");
  return hashes.map(({ hash }) => hash);
}
