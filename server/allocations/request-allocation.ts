import { createHash, randomUUID } from "node:crypto";
import type { Sql, TransactionSql } from "postgres";
import { within } from "@/db/client";
import { audited } from "@/server/audit/audited";
import { addressToBytes, distinctAddresses } from "@/server/kernel/address-bytes";
import { cached } from "@/server/kernel/cached";
import type { ServiceContext } from "@/server/kernel/context";
import { consoleSeconds } from "@/server/kernel/database";
import { isStatementTimeout } from "@/server/kernel/database-errors";
import { batchLimits } from "@/server/kernel/settings";
import { invalid, invalidField } from "@/server/kernel/to-domain-error";
import { prepareLongReads } from "@/server/ledger/run-check";
import { snapshotBytes } from "@/server/snapshots/snapshot-text";
import { PAYERS } from "@/terms/claims/payers";
import { POINTS_DECIMALS, parsePoints } from "@/terms/points";
import { DomainError } from "@/terms/problems";
import { formatUnits } from "@/terms/units";
import { type AllocationTerms, computeFigures, notTaken, ZERO_BYTES } from "./allocate";
import { allocationTarget } from "./delete-allocation";
import { getAllocation } from "./list-allocations";
import {
  ALLOCATIONS_MAX,
  type AllocationOut,
  type AllocationPreview,
  type PreviewAllocationInput,
  type RequestAllocationInput,
} from "./schema";

const KEPT_SECONDS = 60;

async function termsOf(sql: Sql | TransactionSql, input: PreviewAllocationInput): Promise<AllocationTerms> {
  // The first row has the first address.
  const zero = await sql`
    select 1 from snapshot_holders
    where snapshot_id = ${snapshotBytes(input.snapshotId)} and first_address = ${ZERO_BYTES}`;
  const excluded = input.excluded.map(addressToBytes);
  return {
    ...input,
    minimum: minimumOf(input),
    total: input.rule === "PRO_RATA" ? input.total : null,
    rate: input.rule === "FIXED_RATE" ? input.rate : null,
    excluded: Buffer.concat(distinctAddresses(zero.length > 0 ? [ZERO_BYTES, ...excluded] : excluded)),
  };
}

/** A transfer of points has a minimum of its own. */
function minimumOf({ payer, decimals, minimum }: PreviewAllocationInput): string {
  const type = payer && PAYERS[payer].pointType;
  if (!type) return minimum ?? "1";
  const smallest = batchLimits().minimumPoints[type];
  const perUnit = 10n ** BigInt(POINTS_DECIMALS - decimals);
  const least = (parsePoints(smallest) + perUnit - 1n) / perUnit;
  if (minimum === undefined || BigInt(minimum) >= least) return minimum ?? String(least);
  const said = `must be at least ${formatUnits(least, decimals)}, since no transfer has less`;
  throw invalidField(`The minimum ${said}.`, "/minimum", said);
}

/**
 * What the rule would make of a snapshot. Nothing is stored.
 * @throws DomainError as `computeFigures`, `query_timeout`, and `validation_failed` for a minimum that
 * cannot be paid
 */
export async function previewAllocation(
  ctx: ServiceContext,
  input: PreviewAllocationInput,
): Promise<AllocationPreview> {
  try {
    // A snapshot never changes, and the request of an allocation previews it once more.
    const key = createHash("sha256").update(JSON.stringify(input)).digest("hex");
    return await cached("previews", key, KEPT_SECONDS, () =>
      ctx.db.sql.begin("read only", async (tx) => {
        await prepareLongReads(tx);
        return await computeFigures(tx, await termsOf(tx, input));
      }),
    );
  } catch (error) {
    if (!isStatementTimeout(error)) throw error;
    const detail =
      `The preview was stopped after ${consoleSeconds("heavy")} s. Make the allocation instead: a worker ` +
      "takes the time it needs. It shows the same figures, and can be deleted until it is published.";
    throw new DomainError("query_timeout", detail, { cause: error });
  }
}

/**
 * As `requestAllocation`, but a rule that gives nothing is refused, and not stored. One that takes too long
 * to compute is left to the worker.
 */
export async function previewAndRequest(ctx: ServiceContext, input: RequestAllocationInput) {
  const { name: _, ...rule } = input;
  const preview = await previewAllocation(ctx, rule).catch((error: unknown) => {
    if (error instanceof DomainError && error.code === "query_timeout") return null;
    throw error;
  });
  return { ...(await requestAllocation(ctx, input)), leftOut: preview?.leftOut };
}

/**
 * Asks for an allocation, which a worker makes within seconds.
 * @throws DomainError `snapshot_not_found` unless it is TAKEN; `validation_failed` when it has too many, or
 * one of the same name that did not fail
 */
export async function requestAllocation(
  ctx: ServiceContext,
  input: RequestAllocationInput,
): Promise<AllocationOut> {
  const terms = await termsOf(ctx.db.sql, input);
  const { snapshotId, rule, total, rate, decimals, minimum, excluded } = terms;
  const id = randomUUID();
  await ctx.db.sql.begin(async (tx) => {
    // Under this lock the snapshot is not deleted, and one request at a time counts its allocations and
    // names another. On Citus too, where both tables are on the coordinator.
    const taken = await tx`
      select 1 from snapshots where id = ${snapshotId}::uuid and status = 'TAKEN' for no key update`;
    if (taken.length === 0) throw notTaken(input);
    await requirePlace(tx, input);
    const detail = tx`jsonb_build_object('name', name, 'snapshot', snapshot_id, 'rule', rule,
      'payer', payer, 'total', total::text, 'rate', trim_scale(rate)::text, 'decimals', decimals,
      'minimum', minimum::text, 'excluded', octet_length(excluded) / 20)`;
    await tx`
      with made as (
        insert into allocations (id, snapshot_id, name, payer, rule, total, rate, decimals, minimum,
          excluded, requested_by)
        select ${id}::uuid, ${snapshotId}::uuid, ${input.name}, ${input.payer}, ${rule},
          ${total}::text::numeric, ${rate}::text::numeric, ${decimals}::int, ${minimum}::text::numeric,
          ${excluded}::bytea, ${ctx.actor}
        on conflict do nothing returning *
      ), ${audited(
        { ...ctx, db: within(ctx.db, tx) },
        { action: "allocation.make", target: allocationTarget(id), detail, of: "made" },
      )} select 1 from made`;
  });
  return await getAllocation(ctx, { allocationId: id });
}

/** Under the lock on the snapshot. */
async function requirePlace(tx: TransactionSql, { snapshotId, name }: RequestAllocationInput) {
  const [row] = await tx<[{ count: number; isNamed: boolean }]>`
    select count(*)::int as count,
      coalesce(bool_or(name = ${name} and status <> 'FAILED'), false) as "isNamed"
    from allocations where snapshot_id = ${snapshotId}::uuid`;
  if (row.count >= ALLOCATIONS_MAX)
    throw invalid(
      `The snapshot already has ${ALLOCATIONS_MAX} allocations, which is the limit. Delete one first.`,
    );
  if (row.isNamed)
    throw invalidField(
      `The snapshot already has an allocation named “${name}”. Choose another name.`,
      "/name",
      "is the name of another allocation of this snapshot",
    );
}
