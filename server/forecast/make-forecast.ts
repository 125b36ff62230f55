import type { Sql, TransactionSql } from "postgres";
import type { Issuance } from "@/server/contracts/change-contract";
import { addressToBytes } from "@/server/kernel/address-bytes";
import { toTimestamp } from "@/server/kernel/batch-rows";
import type { ServiceContext } from "@/server/kernel/context";
import { readContractFigures } from "@/server/kernel/contract-figures";
import { contractNotFound } from "@/server/ledger/accounts";
import { inPace, runsOutAt } from "@/server/ledger/pace";
import { POINT_TYPES, type PointType } from "@/terms/batch-terms";
import { formatPoints, parseSum } from "@/terms/points";

const FORECAST_HOURS = 24;
const FORECAST_DAYS = 30;
const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

/** The current hour or day in UTC and those that follow, and the end of the last one. */
function startsFrom(now: string, count: number, lengthMs: number): string[] {
  const firstMs = Math.floor(Date.parse(now) / lengthMs) * lengthMs;
  return Array.from({ length: count + 1 }, (_, i) => new Date(firstMs + i * lengthMs).toISOString());
}

type ForecastEdges = ReturnType<typeof edgesFrom>;
export const edgesFrom = (now: string) => ({
  now,
  hours: startsFrom(now, FORECAST_HOURS, HOUR_MS),
  days: startsFrom(now, FORECAST_DAYS, DAY_MS),
});

/** Sums over the batches of one hour in one state, as database text. */
interface PendingRow {
  point_type: PointType;
  state: "onHold" | "overdue" | "ahead";
  /** Number of the hour and the day, from 1. One more than there are: later. */
  hour: number;
  day: number;
  batch_count: string;
  points: string;
}

type FundsRow = { point_type: PointType; available: string; submitted: string };

/** What is due when, and when points run out. @throws DomainError `contract_not_found`, `unavailable` */
export async function makeForecast(ctx: ServiceContext, input: { contractAddress: string }) {
  const address = addressToBytes(input.contractAddress);
  // The primary's clock decides what is due.
  const [contract] = await ctx.db.sql<{ issuance: Issuance; now: string }[]>`
    select issuance, now() as now from contracts where address = ${address}`;
  if (!contract) throw contractNotFound(input.contractAddress);
  const { issuance } = contract;
  const edges = edgesFrom(toTimestamp(contract.now));
  const { pending, funds } = await readContractFigures(ctx, address, async (tx) => ({
    pending: await readPending(tx, address, edges),
    funds: await readFunds(tx, address, edges.now),
  }));
  return {
    issuance,
    /** When the figures were read. */
    readAt: edges.now,
    forecasts: POINT_TYPES.map((type) => ({
      pointType: type,
      ...spread(
        pending.filter(({ point_type }) => point_type === type),
        edges,
      ),
      ...fundsOf(funds.find(({ point_type }) => point_type === type)!, issuance, edges.now),
    })),
  };
}

export type ContractForecast = Awaited<ReturnType<typeof makeForecast>>;
export type ForecastOfType = ContractForecast["forecasts"][number];
export type Due = ForecastOfType["overdue"];

/**
 * When a contract's PENDING batches of one point type become due. Each is in exactly one of `overdue`,
 * `days`, `later` and `onHold`, except reversals, which are in none: they bring points back.
 */
function spread(rows: PendingRow[], edges: ForecastEdges) {
  const ahead = rows.filter(({ state }) => state === "ahead");
  /** From when each hour or day begins. */
  const periods = (unit: "hour" | "day", starts: string[]) =>
    starts
      .slice(0, -1)
      .map((from, index) => ({ from, ...sumOf(ahead.filter((row) => row[unit] === index + 1)) }));
  return {
    overdue: sumOf(rows.filter(({ state }) => state === "overdue")),
    /** The first one is the current one. */
    hours: periods("hour", edges.hours),
    /** In UTC, from today, including those in `hours`. */
    days: periods("day", edges.days),
    later: sumOf(ahead.filter(({ day }) => day > FORECAST_DAYS)),
    /** On hold or awaiting approval, regardless of when they are due. */
    onHold: sumOf(rows.filter(({ state }) => state === "onHold")),
  };
}

const sumOf = (rows: PendingRow[]) => ({
  batchCount: rows.reduce((sum, row) => sum + Number(row.batch_count), 0),
  points: formatPoints(rows.reduce((sum, row) => sum + parseSum(row.points), 0n)),
});

function fundsOf(row: FundsRow, issuance: Issuance, now: string) {
  const [available, submitted] = [parseSum(row.available), parseSum(row.submitted)];
  return {
    available: formatPoints(available),
    /** Of `PACE_DAYS` days, without reversals and what was cancelled since. */
    submittedLast7Days: formatPoints(submitted),
    /** Null for an ON_DEMAND contract too. */
    runsOutAt: issuance === "PREFUNDED" ? runsOutAt(now, available, submitted) : null,
  };
}

// Bound as `timestamptz[]`: Postgres would repeat a cast from text for every row.
const timesIn = (starts: string[]) => `{${starts.join(",")}}`;

/** A range of an index per point type. Reversals do not count, because they pay nobody. */
export const readPending = (tx: Sql | TransactionSql, address: Buffer, { now, hours, days }: ForecastEdges) =>
  tx<PendingRow[]>`
  select point_type,
    case
      when held_at is not null or awaits_approval then 'onHold'
      when finalize_at <= ${now}::timestamptz then 'overdue'
      else 'ahead'
    end as state,
    width_bucket(finalize_at, ${timesIn(hours)}::timestamptz[]) as hour,
    width_bucket(finalize_at, ${timesIn(days)}::timestamptz[]) as day,
    count(*) as batch_count, sum(points) as points
  from batches
  where contract_address = ${address} and point_type = any(enum_range(null::point_type))
    and status = 'PENDING' and reverses_seq is null
  group by 1, 2, 3, 4`;

/** A row per point type: the account, and one range of an index, the batches of the last days. */
export const readFunds = (tx: Sql | TransactionSql, address: Buffer, now: string) => tx<FundsRow[]>`
  select point_type, sum(available) as available, sum(submitted) as submitted
  from (
    select point_type, earned + received - sent - pending as available, 0::numeric as submitted
    from accounts where address = ${address}
    union all
    select point_type, 0, sum(points)
    from batches where contract_address = ${address} and ${inPace(tx, tx`${now}::timestamptz`)}
    group by point_type
  ) as funds group by point_type`;
