import { z } from "zod";
import type { Issuance } from "@/server/contracts/change-contract";
import { LASTING_YEARS, PACE_DAYS } from "@/server/ledger/pace";
import {
  AddressOut,
  countField,
  objectOf,
  PointsOut,
  PointTypeField,
  replyOf,
  TimestampOut,
} from "@/terms/fields";

export const FORECAST_HOURS = 24;
export const FORECAST_DAYS = 30;

const dueFields = {
  batchCount: countField("Number of batches."),
  transferCount: countField("Number of transfers in these batches."),
  points: PointsOut.meta({ description: "Points of these batches, in shortest exact form." }),
};
const DueOut = z.strictObject(dueFields).meta({ id: "Due" });
export type DueOut = z.output<typeof DueOut>;

const DuePeriodOut = objectOf("DuePeriod", {
  from: TimestampOut.meta({ description: "When the hour or day begins, in UTC (inclusive)." }),
  ...dueFields,
});
export type DuePeriodOut = z.output<typeof DuePeriodOut>;

const ForecastOut = z
  .strictObject({
    pointType: PointTypeField.meta({ description: "Point type of the figures." }),
    overdue: DueOut.meta({ description: "Batches that are due and will be finalized next." }),
    hours: z
      .array(DuePeriodOut)
      .length(FORECAST_HOURS)
      .meta({
        description:
          `Batches that become due in each of ${FORECAST_HOURS} hours. ` +
          "The first hour is the current one, without overdue batches.",
      }),
    days: z
      .array(DuePeriodOut)
      .length(FORECAST_DAYS)
      .meta({
        description:
          `Batches that become due on each of ${FORECAST_DAYS} days in UTC, including those in \`hours\`. ` +
          "The first day is the current one, without overdue batches.",
      }),
    later: DueOut.meta({ description: "Batches that become due after the last day." }),
    onHold: DueOut.meta({
      description:
        "Batches on hold or awaiting approval, regardless of when they are due. They are in no other figure.",
    }),
    available: PointsOut.meta({ description: "Points that the contract can send now." }),
    submittedLast7Days: PointsOut.meta({
      description:
        `Points of the batches created in the last ${PACE_DAYS} days, without reversals and those ` +
        `cancelled since. The daily pace is a ${PACE_DAYS}th of it.`,
    }),
    runsOutAt: TimestampOut.nullable().meta({
      description:
        "When `available` runs out at that pace, rounded down to the minute. Null for an ON_DEMAND " +
        `contract, if nothing was submitted, and if it lasts for more than ${LASTING_YEARS} years.`,
    }),
  })
  .meta({
    id: "Forecast",
    description:
      "Every PENDING batch is in exactly one of `overdue`, `days`, `later` and `onHold`, " +
      "except reversals, which are in none: they bring points back.",
  });
export type ForecastOut = z.output<typeof ForecastOut>;

export const GetForecastReply = replyOf("ContractForecast", {
  contractAddress: AddressOut.meta({ description: "Contract of the forecast." }),
  forecasts: z.array(ForecastOut).meta({ description: "One forecast per point type.", maxItems: 2 }),
});

export interface ConsoleForecast extends Omit<z.output<typeof GetForecastReply>, "success"> {
  issuance: Issuance;
  /** When the figures were read. Not in the API, where it would give every reply another `ETag`. */
  readAt: string;
}
