import { z } from "zod";
import { ReasonField } from "../batches/list/console-schema";
import { AddressField, PointTypeField, rule } from "../kernel/values/fields";
import type { PointType } from "../kernel/values/point-types";
import { isPoints } from "../kernel/values/points";

export const ApprovalsInput = z.strictObject({ contractAddress: AddressField });

const ThresholdField = z
  .string()
  .refine(isPoints, rule("invalid_points", "must be a decimal string such as 1000 or 0.5"))
  .refine((value) => !/^[0.]*$/.test(value), rule("out_of_range", "must be more than 0"));

export const ProposeRuleInput = ApprovalsInput.extend({
  pointType: PointTypeField,
  /** Null if no amount alone needs approval. */
  threshold: ThresholdField.nullable(),
  onUnusual: z.boolean(),
  reason: ReasonField,
});
export type ProposeRuleInput = z.output<typeof ProposeRuleInput>;

export const DecideRuleInput = ApprovalsInput.extend({ changeId: z.uuid(), reason: ReasonField });
export type DecideRuleInput = z.output<typeof DecideRuleInput>;

/** Which new batches of one point type need a second person. */
export interface ApprovalRule {
  pointType: PointType;
  threshold: string | null;
  onUnusual: boolean;
}

/** A change that another admin has to approve. */
export interface ProposedRule extends ApprovalRule {
  id: string;
  reason: string;
  proposedBy: string;
  proposedAt: string;
}

export interface ContractApprovals {
  /** One for each point type. */
  rules: ApprovalRule[];
  proposed: ProposedRule[];
  /** Other people who could approve what the reader proposes. */
  otherAdmins: number;
}
