import { within } from "@/db/client";
import { audited } from "@/server/audit/audited";
import type { ServiceContext } from "@/server/kernel/context";
import { snapshotNotFound } from "./list-holders";
import { snapshotTarget } from "./request-snapshot";
import { deleteHolders } from "./take-snapshot";

/** In the transaction that has locked the snapshot. @throws DomainError to keep it */
export type RemoveAllocations = (ctx: ServiceContext, snapshotId: string) => Promise<void>;

/**
 * Deletes a snapshot with its holders and allocations. One that is being taken is stopped.
 * @throws DomainError `snapshot_not_found`; `validation_failed` when one of its allocations is published
 */
export async function deleteSnapshot(
  ctx: ServiceContext,
  { snapshotId }: { snapshotId: string },
  removeAllocationsOf: RemoveAllocations,
): Promise<void> {
  await ctx.db.sql.begin(async (tx) => {
    const own = { ...ctx, db: within(ctx.db, tx) };
    // Requests for allocations wait for this lock, and then do not find the snapshot.
    await tx`select 1 from snapshots where id = ${snapshotId}::uuid for update`;
    await removeAllocationsOf(own, snapshotId);
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
