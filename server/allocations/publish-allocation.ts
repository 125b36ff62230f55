import { type Database, within } from "@/db/client";
import { audited } from "@/server/audit/audited";
import type { ServiceContext } from "@/server/kernel/context";
import { invalid } from "@/server/kernel/to-domain-error";
import { snapshotBytes } from "@/server/snapshots/snapshot-text";
import { secondPersonObstacle } from "@/server/staff/second-person";
import { DomainError } from "@/terms/problems";
import { allocationTarget } from "./delete-allocation";
import { getAllocation } from "./list-allocations";
import type { AllocationInput, AllocationOut } from "./schema";

/**
 * Publishes an allocation, for good: anyone may read its claims, and neither it nor its snapshot can be
 * deleted. Under an approval rule this takes another person than the one who made it.
 * @throws DomainError `allocation_not_found`, `not_allowed`; `validation_failed` unless it is READY and not
 * published yet
 */
export async function publishAllocation(ctx: ServiceContext, input: AllocationInput): Promise<AllocationOut> {
  const { allocationId } = input;
  await ctx.db.sql.begin(async (tx) => {
    const own = { ...ctx, db: within(ctx.db, tx) };
    // Others who publish or delete it at the same time wait here.
    await tx`select 1 from allocations where id = ${allocationId}::uuid for update`;
    await requireRight(own, await getAllocation(own, input));
    // With RETURNING, Citus commits it in two phases.
    await tx`
      update allocation_claims set is_published = true
      where allocation_id = ${snapshotBytes(allocationId)} returning 1`;
    const detail = tx`jsonb_build_object('name', name, 'sum', sum::text, 'root', encode(root, 'hex'))`;
    await tx`
      with published as (
        update allocations set published_at = now(), published_by = ${ctx.actor}
        where id = ${allocationId}::uuid returning *
      ), ${audited(own, {
        ...{ action: "allocation.publish", target: allocationTarget(allocationId), detail, of: "published" },
      })} select 1 from published`;
  });
  return await getAllocation(ctx, input);
}

async function requireRight({ db, actor }: ServiceContext, allocation: AllocationOut): Promise<void> {
  const { status, publishedAt, publishedBy, requestedBy, needsSecondPerson } = allocation;
  if (publishedAt) throw invalid(`${publishedBy} has published the allocation at ${publishedAt}.`);
  if (status !== "READY")
    throw invalid(`The allocation is ${status}. Only one that is READY can be published.`);
  const obstacle = needsSecondPerson && (await obstacleTo(db, actor, requestedBy));
  if (obstacle) throw new DomainError("not_allowed", obstacle);
}

async function obstacleTo({ sql }: Database, actor: string, by: string): Promise<string | undefined> {
  if (actor === by) return "You made this allocation. Another admin must publish it.";
  // The command line knows no people.
  if (!actor.startsWith("staff:"))
    return (
      "An approval rule is in force. " +
      "An admin other than the one who made the allocation must publish it in the console."
    );
  return await secondPersonObstacle(sql, actor, by);
}
