import type postgres from "postgres";
import { audited, contractTarget } from "@/server/audit/audited";
import { addressToBytes } from "@/server/kernel/address-bytes";
import { withPoints, withTimes } from "@/server/kernel/batch-rows";
import type { ServiceContext } from "@/server/kernel/context";
import { invalid } from "@/server/kernel/to-domain-error";
import type { PointType } from "@/terms/batch-terms";
import { formatPoints, parsePoints } from "@/terms/points";
import { type ApprovedChange, contractNotFound, secondAdminNeeded } from "./accounts";

export type Grant = { contractAddress: string; pointType: PointType; points: string };

/**
 * Only to a PREFUNDED contract. A grant that an approval rule covers takes an approved change.
 * @throws DomainError `contract_not_found`, `validation_failed`, `not_allowed` without the second admin
 */
export async function grantPoints(
  ctx: ServiceContext,
  input: Grant,
  approved?: ApprovedChange,
): Promise<void> {
  const points = formatPoints(parsePoints(input.points));
  if (points === "0") throw invalid("The amount of a grant must be greater than 0.");
  if (approved) await storeGrant(ctx, { ...input, points }, approved.tx, approved);
  else await ctx.db.sql.begin((tx) => storeGrant(ctx, { ...input, points }, tx));
}

async function storeGrant(
  ctx: ServiceContext,
  { contractAddress, pointType, points }: Grant,
  tx: postgres.TransactionSql,
  approved?: ApprovedChange,
): Promise<void> {
  const contract = addressToBytes(contractAddress);
  // Approvals lock the same row: a rule of the same moment is seen below, or applies to later grants.
  const [known] = await tx<{ issuance: string }[]>`
    select issuance from contracts where address = ${contract} for share`;
  if (!known) throw contractNotFound(contractAddress);
  if (known.issuance !== "PREFUNDED")
    throw invalid("This contract gets points on demand and needs no grants.");
  const detail = tx`jsonb_build_object('pointType', ${pointType}::text, 'points', ${points}::text)`;
  const target = contractTarget(contractAddress);
  const granted = await tx`
    with granted as (
      update accounts a set earned = a.earned + ${points}::text::numeric
      from contracts c
        left join approval_rules r on r.contract_address = c.address and r.contract_address = ${contract}
          and r.point_type = ${pointType}::point_type
          and (r.threshold is not null or r.on_unusual or r.day_threshold is not null)
      where a.address = ${contract} and a.point_type = ${pointType}::point_type and c.address = ${contract}
        and (${approved !== undefined}::boolean
          or r.contract_address is null
          or ${points}::text::numeric < r.threshold)
      returning a.address, a.point_type
    ), kept as (
      insert into issuances (contract_address, point_type, points, granted_by, approved_by,
        change_id, change_effect, change_decided_at)
      select address, point_type, ${points}::text::numeric, ${approved?.proposedBy ?? ctx.actor},
        ${approved ? ctx.actor : null}::text, ${approved?.id ?? null}::uuid,
        ${approved?.effect ?? null}::text, ${approved?.decidedAt ?? null}::timestamptz
      from granted
    ), ${audited(ctx, { action: "points.grant", target, detail, of: "granted" })}
    select 1 from granted`;
  if (granted.length === 0) throw secondAdminNeeded();
}

export interface ListedIssuance {
  id: string;
  createdAt: string;
  pointType: PointType;
  points: string;
  grantedBy: string | null;
  approvedBy: string | null;
  /** The batch that the points were issued for. Null when granted. */
  batchId: string | null;
}

const PAGE_ROWS = 20;

/** One page of a contract's grants and issuances, newest first. */
export async function listIssuances(
  ctx: ServiceContext,
  input: { contractAddress: string; cursor?: string | null },
): Promise<{ issuances: ListedIssuance[]; cursor: string | null }> {
  const { sql } = ctx.db;
  const contract = addressToBytes(input.contractAddress);
  const after = (id: string) => sql`(created_at, id) < (
    select created_at, id from issuances where contract_address = ${contract} and id = ${id}::bigint)`;
  const rows = await sql<ListedIssuance[]>`
    select i.id, i.created_at as "createdAt", i.point_type as "pointType", i.points,
      i.granted_by as "grantedBy", i.approved_by as "approvedBy", b.id as "batchId"
    from (
      select * from issuances where contract_address = ${contract}
        and ${input.cursor ? after(input.cursor) : sql`true`}
      order by created_at desc, id desc limit ${PAGE_ROWS + 1}
    ) i left join lateral (
      -- GROUP BY the key keeps this a look-up per row of the page.
      select id from batches
      where contract_address = ${contract} and seq = i.batch_seq group by contract_address, seq
    ) b on true
    order by i.created_at desc, i.id desc`;
  const page = rows.slice(0, PAGE_ROWS);
  return {
    issuances: page.map((row) => withPoints(withTimes(row, "createdAt"), "points")),
    cursor: rows.length > PAGE_ROWS ? page.at(-1)!.id : null,
  };
}
