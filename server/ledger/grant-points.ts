import type { ServiceContext } from "../kernel/context";
import { addressToBytes } from "../kernel/values/addresses";
import type { PointType } from "../kernel/values/point-types";
import { formatPoints, parsePoints } from "../kernel/values/points";
import { DomainError } from "../kernel/values/problems";

export interface Grant {
  contractAddress: string;
  pointType: PointType;
  points: string;
}

/** Grants points to a PREFUNDED contract. @throws DomainError `contract_not_found`, `validation_failed` */
export async function grantPoints(ctx: ServiceContext, input: Grant): Promise<void> {
  const points = formatPoints(parsePoints(input.points));
  if (points === "0")
    throw new DomainError("validation_failed", "The amount of a grant must be greater than 0.");
  const address = addressToBytes(input.contractAddress);
  const [granted] = await ctx.db.sql`
    with granted as (
      update accounts a set earned = a.earned + ${points}::text::numeric from contracts c
      where a.address = ${address} and a.point_type = ${input.pointType}::point_type
        and c.address = ${address} and c.issuance = 'PREFUNDED'
      returning a.address, a.point_type
    ), kept as (
      insert into issuances (contract_address, point_type, points, granted_by)
      select address, point_type, ${points}::text::numeric, ${ctx.actor} from granted
    ), audited as (
      insert into audit_log (actor, action, target, detail, request_id)
      select ${ctx.actor}, 'points.grant', ${`contract:${input.contractAddress.toLowerCase()}`},
        jsonb_build_object('pointType', ${input.pointType}::text, 'points', ${points}::text), ${ctx.requestId}
      from granted
    )
    select 1 from granted`;
  if (granted) return;
  const known = await ctx.db.sql`select 1 from contracts where address = ${address}`;
  throw known.length === 0
    ? new DomainError("contract_not_found", `The contract ${input.contractAddress} is not registered.`)
    : new DomainError("validation_failed", "This contract gets points on demand and needs no grants.");
}
