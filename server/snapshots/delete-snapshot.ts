import { within } from "@/db/client";
import { audited } from "@/server/audit/audited";
import type { ServiceContext } from "@/server/kernel/context";
import { snapshotNotFound } from "./list-holders";
import { snapshotTarget } from "./request-snapshot";
import { deleteHolders } from "./take-snapshot";

/**
 * Deletes a snapshot with its holders. One that is being taken is stopped. @throws DomainError
 * `snapshot_not_found`
 */
export async function deleteSnapshot(
  ctx: ServiceContext,
  { snapshotId }: { snapshotId: string },
): Promise<void> {
  await ctx.db.sql.begin(async (tx) => {
    const detail = tx`
      jsonb_build_object('name', name, 'pointType', point_type, 'digest', encode(digest, 'hex'))`;
    const deleted = await tx`
      with deleted as (delete from snapshots where id = ${snapshotId}::uuid returning *),
      ${audited(
        { ...ctx, db: within(ctx.db, tx) },
        { action: "snapshot.delete", target: snapshotTarget(snapshotId), detail, of: "deleted" },
      )} select 1 from deleted`;
    if (deleted.length === 0) throw snapshotNotFound(`There is no snapshot ${snapshotId}.`);
    await deleteHolders(tx, snapshotId);
  });
}
