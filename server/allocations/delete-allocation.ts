import { within } from "@/db/client";
import type { ServiceContext } from "@/server/kernel/context";
import { invalid } from "@/server/kernel/to-domain-error";
import { removeAllocation } from "@/server/snapshots/delete-snapshot";
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
