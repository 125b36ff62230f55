import type { Fragment, Sql, TransactionSql } from "postgres";
import { addressArray, addressFromBytes, addressToBytes } from "@/server/kernel/address-bytes";
import type { ServiceContext } from "@/server/kernel/context";
import { isDistributed } from "@/server/kernel/shards";
import { ADDRESSES_OF } from "@/server/ledger/packed-transfers";
import { listLargest } from "@/server/snapshots/find-holders";
import { snapshotBytes } from "@/server/snapshots/snapshot-text";
import { PAYERS } from "@/terms/claims/payers";
import { DomainError } from "@/terms/problems";
import { formatUnits } from "@/terms/units";
import { getAllocation, READ_ROOTS, readAllocations } from "./list-allocations";
import { listPaid, referenceOf } from "./list-payments";
import { type AllocationInput, type ClaimOut, type GetClaimInput, WALLET_ALLOCATIONS_MAX } from "./schema";
import { readProof } from "./stored-tree";

interface Shown {
  id: string;
  name: string;
  decimals: number;
  claims: number;
  roots: ClaimOut["roots"];
}

/**
 * What an address gets by a published allocation, with its proof. Anyone may ask.
 * @throws DomainError `allocation_not_found` also while it is not published; `claim_not_found`
 */
export const getClaim = (ctx: ServiceContext, input: GetClaimInput): Promise<ClaimOut> =>
  readClaim(ctx, input, ctx.db.sql`published_at is not null`, "is published");

/** The same for staff, who see it before it is published. */
export const getStaffClaim = (ctx: ServiceContext, input: GetClaimInput): Promise<ClaimOut> =>
  readClaim(ctx, input, ctx.db.sql`status = 'READY'`, "is READY");

async function readClaim(
  ctx: ServiceContext,
  input: GetClaimInput,
  isShown: Fragment,
  state: string,
): Promise<ClaimOut> {
  const { sql } = ctx.db;
  const { allocationId } = input;
  const [allocation] = await sql<Shown[]>`
    select id, name, decimals, claims, ${sql.unsafe(READ_ROOTS)}
    from allocations a where id = ${allocationId}::uuid and ${isShown}`;
  if (!allocation) throw new DomainError("allocation_not_found", `No allocation ${allocationId} ${state}.`);
  const address = addressToBytes(input.address);
  const claim = await findClaim(sql, allocation, address);
  if (!claim)
    throw new DomainError("claim_not_found", `The allocation has no claim of ${addressFromBytes(address)}.`);
  const { id, name, decimals, roots } = allocation;
  return {
    allocationId: id,
    name,
    address: addressFromBytes(address),
    ...claim,
    tokens: formatUnits(BigInt(claim.amount), decimals),
    decimals,
    proof: await readProof(sql, snapshotBytes(id), claim.position),
    root: roots.openzeppelin,
    roots,
  };
}

type StoredClaim = Pick<ClaimOut, "index" | "amount" | "position">;

type Query = Sql | TransactionSql;

/** It is in the last packed row that does not begin after the address. For a FROM, as `claim`. */
const claimOf = (
  sql: Query,
  address: Buffer | Fragment,
  { id, claims }: Record<"id" | "claims", Fragment>,
) => sql`(
    select t.first_index + p.place as index, t.amounts[p.place + 1]::text as amount,
      t.positions[p.place + 1] as position
    from (
      select first_index, addresses, amounts, positions from allocation_claims
      where allocation_id = ${id} and first_address <= ${address} and first_index < ${claims}
      order by first_address desc limit 1
    ) as t ${sql.unsafe(ADDRESSES_OF)} cross join lateral (
      select byte / 20 as place from generate_series(0, length(w.addresses) - 1, 20) as byte
      where substring(w.addresses from byte + 1 for 20) = ${address}
    ) as p
  ) as claim`;

async function findClaim(
  sql: Query,
  { id, claims }: Pick<Shown, "id" | "claims">,
  address: Buffer,
): Promise<StoredClaim | undefined> {
  const of = { id: sql`${snapshotBytes(id)}`, claims: sql`${claims}::int` };
  const [claim] = await sql<StoredClaim[]>`select claim.* from ${claimOf(sql, address, of)}`;
  return claim;
}

/** The amounts that allocations have for an address, by the allocations' IDs. */
async function findAmounts(
  { db }: ServiceContext,
  allocations: readonly Pick<Shown, "id" | "claims">[],
  address: Buffer,
): Promise<Map<string, string>> {
  const { sql } = db;
  // Citus has no statement that finds a row in each of several shards: they are sent together.
  if (await isDistributed(db)) {
    const found = await sql.begin("read only", (tx) =>
      Promise.all(allocations.map((allocation) => findClaim(tx, allocation, address))),
    );
    return new Map(allocations.flatMap(({ id }, at) => (found[at] ? [[id, found[at].amount]] : [])));
  }
  const given = sql`unnest(${allocations.map(({ id }) => id)}::uuid[],
    ${addressArray(allocations.map(({ id }) => snapshotBytes(id)))}::bytea[],
    ${allocations.map(({ claims }) => claims)}::int[]) as given (id, bytes, claims)`;
  const of = { id: sql`given.bytes`, claims: sql`given.claims` };
  const rows = await sql<{ id: string; amount: string }[]>`
    select given.id, claim.amount from ${given} cross join lateral ${claimOf(sql, address, of)}`;
  return new Map(rows.map(({ id, amount }) => [id, amount]));
}

const LARGEST_MAX = 10;

/** What the largest holders of the snapshot get, of those that get something. */
export async function listLargestClaims(ctx: ServiceContext, input: AllocationInput) {
  const { sql } = ctx.db;
  const { id, snapshotId, claims } = await getAllocation(ctx, input);
  const holders = await listLargest(ctx, { snapshotId });
  const addresses = addressArray(holders.map(({ address }) => addressToBytes(address)));
  const of = { id: sql`${snapshotBytes(id)}`, claims: sql`${claims}::int` };
  const rows = await sql<{ place: number; amount: string }[]>`
    select given.place::int, claim.amount
    from unnest(${addresses}::bytea[]) with ordinality as given (address, place)
      cross join lateral ${claimOf(sql, sql`given.address`, of)}
    order by given.place limit ${LARGEST_MAX}`;
  return rows.map(({ place, amount }) => ({ ...holders[place - 1]!, amount }));
}

/** What a wallet's page shows of a claim. Its proof is read by `getClaim`. */
export type WalletClaim = Awaited<ReturnType<typeof listWalletClaims>>[number];

export async function listWalletClaims(ctx: ServiceContext, { address }: { address: string }) {
  const published = await readAllocations(
    ctx,
    ctx.db.sql`a.published_at is not null order by a.published_at desc, a.id
      limit ${WALLET_ALLOCATIONS_MAX}`,
  );
  const bytes = addressToBytes(address);
  const amounts = await findAmounts(
    ctx,
    published.map(({ id, claims }) => ({ id, claims: claims! })),
    bytes,
  );
  const found = published.flatMap(({ id, name, pointType, payer, decimals, publishedAt, snapshotId }) => {
    const amount = amounts.get(id);
    if (amount === undefined) return [];
    const tokens = formatUnits(BigInt(amount), decimals);
    const shown = { allocationId: id, name, pointType, payer, amount, tokens, decimals };
    return { ...shown, publishedAt: publishedAt!, reference: referenceOf({ snapshotId }, address) };
  });
  if (found.length === 0) return [];
  const references = found.map(({ reference }) => reference);
  const payments = await listPaid(ctx, bytes, references);
  return found.map(({ reference, ...claim }) => {
    // A reference names the snapshot. Of several allocations of it, one is paid: that of the amount.
    const paid = payments.find((each) => each.reference === reference && each.points === claim.tokens);
    // Null for tokens, which the claim contract pays.
    const unit = paid?.pointType ?? (claim.payer && PAYERS[claim.payer].pointType);
    // By which points, and since when.
    return { ...claim, unit, paid: paid ? { pointType: paid.pointType, at: paid.at } : null };
  });
}
