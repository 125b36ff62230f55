import { z } from "zod";
import { ContractInput } from "@/terms/batch-schema";
import { MONTH_PATTERN } from "@/terms/batch-terms";
import {
  AddressField,
  AddressOut,
  PointsOut,
  PointTypeField,
  replyOf,
  rule,
  TimestampOut,
} from "@/terms/fields";

const monthMeta = { pattern: MONTH_PATTERN.source, maxLength: 7, examples: ["2026-01"] };
const MonthField = z
  .string()
  .refine(
    (value) => MONTH_PATTERN.test(value),
    rule("invalid_value", "must be a month in UTC such as 2026-01"),
  );
const MonthOut = z.string().meta({ description: "Calendar month in UTC.", ...monthMeta });

export const StatementInput = ContractInput.extend({
  month: MonthField.meta({
    description:
      "Calendar month in UTC. From the month in which the contract was registered to the current one.",
    ...monthMeta,
  }),
  pointType: PointTypeField.meta({ description: "Only the statement of this point type." }).optional(),
});
export type StatementInput = z.output<typeof StatementInput>;

/** Of all contracts. The cursor is the last contract of the page before. */
export const AllStatementsInput = z.strictObject({ month: MonthField, cursor: AddressField.nullish() });
export type AllStatementsInput = z.output<typeof AllStatementsInput>;

/** docs/statements.md defines each figure. */
export const StatementOut = z
  .strictObject({
    pointType: PointTypeField.meta({ description: "Point type of the figures." }),
    opening: PointsOut.meta({
      description: "Points that the contract held when the month began, including those of pending batches.",
    }),
    issued: PointsOut.meta({ description: "Points issued or granted to the contract in the month." }),
    received: PointsOut.meta({
      description: "Points that finalized batches of other contracts credited to the contract in the month.",
    }),
    takenBack: PointsOut.optional().meta({
      description:
        "Points that the contract's reversals took back from recipients in the month. " +
        "Absent when there were none.",
    }),
    sent: PointsOut.meta({
      description: "Points of the contract's batches that were finalized in the month.",
    }),
    givenBack: PointsOut.optional().meta({
      description:
        "Points that reversals of other contracts took back from the contract in the month. " +
        "Absent when there were none.",
    }),
    closing: PointsOut.meta({
      description:
        "Points that the contract held when the month ended, or holds now: " +
        "opening + issued + received + takenBack − sent − givenBack.",
    }),
    pending: PointsOut.meta({
      description:
        "Points of the contract's batches, and of reversals that take back points from it, that were " +
        "neither finalized nor cancelled when the month ended. They are part of `closing`.",
    }),
    cancelled: PointsOut.meta({
      description:
        "Points of the contract's batches that were cancelled in the month. " +
        "They never left the contract, so they do not change `closing`.",
    }),
  })
  .meta({
    id: "Statement",
    description: "opening + issued + received + takenBack − sent − givenBack = closing.",
  });
export type StatementOut = z.output<typeof StatementOut>;

export const GetStatementReply = replyOf("MonthOfStatements", {
  contractAddress: AddressOut.meta({ description: "Contract of the statements." }),
  month: MonthOut,
  from: TimestampOut.meta({ description: "When the month begins (inclusive)." }),
  to: TimestampOut.meta({ description: "When the month ends (exclusive)." }),
  isFinal: z.boolean().meta({
    description:
      "Whether the figures can no longer change. False during the month and for 10 minutes after it.",
  }),
  statements: z
    .array(StatementOut)
    .meta({ description: "One statement per point type, or only the requested one.", maxItems: 2 }),
});
