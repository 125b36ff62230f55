import { within } from "@/db/client";
import { audited } from "@/server/audit/audited";
import type { ServiceContext } from "@/server/kernel/context";
import { invalid } from "@/server/kernel/to-domain-error";
import { snapshotBytes } from "@/server/ledger/snapshot-text";
import { snapshotNotFound } from "./list-holders";
import { snapshotTarget } from "./request-snapshot";
import { deleteHolders } from "./take-snapshot";

/**
 * Deletes a snapshot with its holders and allocations. One that is being taken is stopped.
 * @throws DomainError `snapshot_not_found`; `validation_failed` when one of its allocations is published
 */
export async function deleteSnapshot(
  ctx: ServiceContext,
  { snapshotId }: { snapshotId: string },
): Promise<void> {
  await ctx.db.sql.begin(async (tx) => {
    const own = { ...ctx, db: within(ctx.db, tx) };
    await deleteAllocations(own, snapshotId);
    const detail = tx`
      jsonb_build_object('name', name, 'pointType', point_type, 'digest', encode(digest, 'hex'))`;
    const deleted = await tx`
      with deleted as (delete from snapshots where id = ${snapshotId}::uuid returning *),
      ${audited(own, {
        action: "snapshot.delete",
        target: snapshotTarget(snapshotId),
        detail,
        of: "deleted",
      })} select 1 from deleted`;
    if (deleted.length === 0) throw snapshotNotFound(`There is no snapshot ${snapshotId}.`);
    await deleteHolders(tx, snapshotId);
  });
}

/** Requests for further ones wait for the lock on the snapshot, and then do not find it. */
async function deleteAllocations(ctx: ServiceContext, snapshotId: string): Promise<void> {
  const { sql } = ctx.db;
  await sql`select 1 from snapshots where id = ${snapshotId}::uuid for update`;
  const allocations = await sql<{ id: string; name: string; isPublished: boolean }[]>`
    select id, name, published_at is not null as "isPublished" from allocations
    where snapshot_id = ${snapshotId}::uuid order by id for update`;
  const published = allocations.find(({ isPublished }) => isPublished);
  if (published)
    throw invalid(
      `The published allocation “${published.name}” (${published.id}) needs this snapshot. ` +
        "Both are kept for good. Delete other snapshots, or take another one.",
    );
  for (const { id } of allocations) await removeAllocation(ctx, id);
}

export const allocationTarget = (id: string) => `allocation:${id}`;

/** Deletes an allocation with its claims, in a transaction that has locked it and seen that it may. */
export async function removeAllocation(ctx: ServiceContext, id: string): Promise<void> {
  const { sql } = ctx.db;
  const detail = sql`jsonb_build_object('name', name, 'root', encode(root, 'hex'))`;
  await sql`
    with deleted as (delete from allocations where id = ${id}::uuid returning *),
    ${audited(ctx, { action: "allocation.delete", target: allocationTarget(id), detail, of: "deleted" })}
    select 1 from deleted`;
  // With RETURNING, Citus commits them in two phases.
  await sql`delete from allocation_claims where allocation_id = ${snapshotBytes(id)} returning 1`;
  await sql`delete from allocation_nodes where allocation_id = ${snapshotBytes(id)} returning 1`;
}
