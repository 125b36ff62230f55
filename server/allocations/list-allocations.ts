import type { Fragment } from "postgres";
import { addressFromBytes } from "@/server/kernel/address-bytes";
import { withTimes } from "@/server/kernel/batch-rows";
import type { ServiceContext } from "@/server/kernel/context";
import { inScope } from "@/server/snapshots/console-snapshots";
import type { PointType } from "@/terms/batch-terms";
import { DomainError } from "@/terms/problems";
import { ZERO_BYTES } from "./allocate";
import {
  ALLOCATIONS_LISTED_MAX,
  type AllocationInput,
  type AllocationOut,
  type AllocationRoots,
  type ListAllocationsInput,
} from "./schema";

export const allocationNotFound = (id: string) =>
  new DomainError("allocation_not_found", `There is no allocation ${id}.`);

type Stored = Omit<AllocationOut, "contractAddress" | "needsSecondPerson"> & { contract: Buffer | null };

/** The columns of `allocations a` with the roots of its claims, by who reads them. */
const ROOTS = { openzeppelin: "root", uniswap: "uniswap_root", sablier: "sablier_root" } satisfies Record<
  keyof AllocationRoots,
  string
>;
export const READ_ROOTS = `case when a.claims is not null then json_build_object(${Object.entries(ROOTS)
  .map(([reader, column]) => `'${reader}', '0x' || encode(a.${column}, 'hex')`)
  .join(", ")}) end as roots`;

/** @param which a condition on `allocations a`, which may also be an order and a limit */
export async function readAllocations(ctx: ServiceContext, which: Fragment): Promise<AllocationOut[]> {
  const { sql } = ctx.db;
  const rows = await sql<Stored[]>`
    select a.id, a.snapshot_id as "snapshotId", s.name as "snapshotName", s.as_of as "asOf", a.name,
      s.point_type as "pointType", s.contract_address as contract, a.payer, a.rule, a.total::text,
      trim_scale(a.rate)::text as rate, a.decimals, a.minimum::text,
      octet_length(a.excluded) / 20 as excluded,
      substring(a.excluded for 20) = ${ZERO_BYTES} as "leavesOutZero", a.status,
      a.requested_at as "requestedAt", a.requested_by as "requestedBy", a.finished_at as "finishedAt",
      a.failure, a.claims, a.without_claim::float8 as "withoutClaim", a.sum::text, a.dust::text,
      a.smallest::text, a.median::text, a.largest::text, ${sql.unsafe(READ_ROOTS)},
      a.published_at as "publishedAt", a.published_by as "publishedBy"
    from allocations a join snapshots s on s.id = a.snapshot_id where ${which}`;
  const isWaiting = rows.some(({ publishedAt }) => publishedAt === null);
  const isUnderRule = isWaiting ? await readRules(ctx) : () => false;
  return rows.map(({ contract, ...row }) => ({
    ...withTimes(row, "asOf", "requestedAt", "finishedAt", "publishedAt"),
    contractAddress: contract && addressFromBytes(contract),
    needsSecondPerson: row.publishedAt === null && isUnderRule(row.pointType, contract),
  }));
}

/**
 * Whether publishing takes a second person: an approval rule is in force for the snapshot's points, of its
 * contract or, when it is over all contracts, of any.
 */
async function readRules({ db: { sql } }: Pick<ServiceContext, "db">) {
  const rules = await sql<{ contract: Buffer; pointType: PointType }[]>`
    select contract_address as contract, point_type as "pointType" from approval_rules
    where threshold is not null or on_unusual or day_threshold is not null`;
  return (type: PointType, of: Buffer | null) =>
    rules.some(({ contract, pointType }) => pointType === type && (of === null || contract.equals(of)));
}

/** Those that are published first, and the newest of each first. */
export function listAllocations(
  ctx: ServiceContext,
  { snapshotId, ...scope }: ListAllocationsInput,
): Promise<AllocationOut[]> {
  const { sql } = ctx.db;
  return readAllocations(
    ctx,
    sql`${inScope(ctx, scope)} ${snapshotId ? sql`and a.snapshot_id = ${snapshotId}::uuid` : sql``}
      order by a.published_at is null, a.requested_at desc, a.id desc limit ${ALLOCATIONS_LISTED_MAX}`,
  );
}

/** @throws DomainError `allocation_not_found` */
export async function getAllocation(
  ctx: ServiceContext,
  { allocationId }: AllocationInput,
): Promise<AllocationOut> {
  const [allocation] = await readAllocations(ctx, ctx.db.sql`a.id = ${allocationId}::uuid`);
  if (!allocation) throw allocationNotFound(allocationId);
  return allocation;
}
