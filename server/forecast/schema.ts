import type { Issuance } from "@/server/contracts/change-contract";
import type { PointType } from "@/terms/batch-terms";

export const FORECAST_HOURS = 24;
export const FORECAST_DAYS = 30;

export interface Due {
  batchCount: number;
  transferCount: number;
  points: string;
}

export interface DuePeriod extends Due {
  /** When the hour or day begins, in UTC (inclusive). */
  from: string;
}

/**
 * When a contract's PENDING batches of one point type become due. Each is in exactly one of `overdue`,
 * `days`, `later` and `onHold`, except reversals, which are in none: they bring points back.
 */
export interface ForecastOfType {
  pointType: PointType;
  overdue: Due;
  /** `FORECAST_HOURS` hours, the first one the current one, without overdue batches. */
  hours: DuePeriod[];
  /** `FORECAST_DAYS` days in UTC, including those in `hours`, from today, without overdue batches. */
  days: DuePeriod[];
  /** After the last day. */
  later: Due;
  /** On hold or awaiting approval, regardless of when they are due. */
  onHold: Due;
  /** Points that the contract can send now. */
  available: string;
  /** Points of the batches of the last `PACE_DAYS` days, without reversals and those cancelled since. */
  submittedLast7Days: string;
  /**
   * When `available` runs out at that pace, rounded down to the minute. Null for an ON_DEMAND contract, if
   * nothing was submitted, and if it lasts for more than `LASTING_YEARS` years.
   */
  runsOutAt: string | null;
}

export interface ContractForecast {
  contractAddress: string;
  issuance: Issuance;
  /** When the figures were read. */
  readAt: string;
  /** One per point type. */
  forecasts: ForecastOfType[];
}
