import type { ServiceContext } from "../kernel/context";
import { addressFromBytes } from "../kernel/values/addresses";
import type { PointType } from "../kernel/values/point-types";
import { shortestPoints } from "../kernel/values/points";
import { inPace, PACE_DAYS } from "../ledger/pace";
import type { Condition } from "./kinds";

/** A contract is low on points when they last for fewer days than this at its current pace. */
const DAYS_LEFT_MIN = 3;
export const LOW_MAX = 1000;

interface LowRow {
  address: Buffer;
  label: string;
  point_type: PointType;
  available: string;
  per_day: string;
  days: string;
}

const UNITS = { PHASE2_POINTS: "points", PHASE2_GOLD: "gold" } as const satisfies Record<PointType, string>;
const grouped = new Intl.NumberFormat("en-US", { maximumFractionDigits: 12 });
const shown = (amount: string) => grouped.format(shortestPoints(amount) as Intl.StringNumericLiteral);

/**
 * PREFUNDED contracts that run out of points within three days at the pace of the last seven. What pending batches have
 * reserved counts as sent. Reads recent batches only of contracts that have ever sent enough to be low.
 */
export async function pointsConditions({ db: { sql } }: ServiceContext): Promise<Condition[]> {
  const rows = await sql<LowRow[]>`
    with low as materialized (
      select c.address, c.label, a.point_type, a.earned + a.received - a.sent - a.pending as available
      from contracts c join accounts a on a.address = c.address
      where c.issuance = 'PREFUNDED'
        and (a.earned + a.received - a.sent - a.pending) * ${PACE_DAYS}::int < (a.sent + a.pending) * ${DAYS_LEFT_MIN}::int
      order by available limit ${LOW_MAX}
    ), pace as materialized (
      select b.contract_address, b.point_type, sum(b.points) / ${PACE_DAYS}::int as per_day
      from low l join batches b on b.contract_address = l.address and b.point_type = l.point_type
      where ${inPace(sql, sql`now()`)}
      group by 1, 2
    )
    select l.address, l.label, l.point_type, l.available, round(p.per_day, 2)::text as per_day,
      trunc(l.available / p.per_day, 1)::text as days
    from low l join pace p on p.contract_address = l.address and p.point_type = l.point_type
    where l.available < p.per_day * ${DAYS_LEFT_MIN}::int`;
  return rows.map(({ address, label, point_type: type, available, per_day: perDay, days }) => ({
    kind: "points",
    subject: `${addressFromBytes(address)}/${type}`,
    severity: "warning",
    title: `${label} is running out of ${UNITS[type]}`,
    remedy: `${shown(available)} ${UNITS[type]} are available. In the last ${PACE_DAYS} days it sent ${shown(perDay)} a day on average, so they will last ${days} days, less than ${DAYS_LEFT_MIN}. Admins can grant more on the contract's page.`,
    path: `/contracts/${addressFromBytes(address)}`,
  }));
}
