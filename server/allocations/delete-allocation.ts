import type { Sql, TransactionSql } from "postgres";
import { within } from "@/db/client";
import { audited } from "@/server/audit/audited";
import type { ServiceContext } from "@/server/kernel/context";
import { invalid } from "@/server/kernel/to-domain-error";
import { snapshotBytes } from "@/server/snapshots/snapshot-text";
import { allocationNotFound } from "./list-allocations";
import type { AllocationInput } from "./schema";

/**
 * Deletes an allocation that is not published, with its claims. One that is being made is stopped.
 * @throws DomainError `allocation_not_found`; `validation_failed` when it is published
 */
export async function deleteAllocation(
  ctx: ServiceContext,
  { allocationId }: AllocationInput,
): Promise<void> {
  await ctx.db.sql.begin(async (tx) => {
    const [found] = await tx<{ isPublished: boolean }[]>`
      select published_at is not null as "isPublished" from allocations
      where id = ${allocationId}::uuid for update`;
    if (!found) throw allocationNotFound(allocationId);
    if (found.isPublished)
      throw invalid("The allocation is published. People can rely on it, so it is never deleted.");
    await removeAllocation({ ...ctx, db: within(ctx.db, tx) }, allocationId);
  });
}

/** For `deleteSnapshot`. @throws DomainError `validation_failed` when one is published */
export async function removeAllocationsOf(ctx: ServiceContext, snapshotId: string): Promise<void> {
  const { sql } = ctx.db;
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
async function removeAllocation(ctx: ServiceContext, id: string): Promise<void> {
  const { sql } = ctx.db;
  const detail = sql`jsonb_build_object('name', name, 'root', encode(root, 'hex'))`;
  await sql`
    with deleted as (delete from allocations where id = ${id}::uuid returning *),
    ${audited(ctx, { action: "allocation.delete", target: allocationTarget(id), detail, of: "deleted" })}
    select 1 from deleted`;
  await deleteClaims(sql, id);
}

/** With RETURNING, Citus commits them in two phases. */
export async function deleteClaims(sql: Sql | TransactionSql, id: string): Promise<void> {
  await sql`delete from allocation_claims where allocation_id = ${snapshotBytes(id)} returning 1`;
  await sql`delete from allocation_nodes where allocation_id = ${snapshotBytes(id)} returning 1`;
}
