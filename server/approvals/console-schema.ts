import { z } from "zod";
import { ReasonField } from "../batches/list/console-schema";
import { GrantPointsInput, SetIssuanceInput, SetOperatorInput } from "../contracts/console-schema";
import { AddressField, PointTypeField, rule } from "../kernel/values/fields";
import type { PointType } from "../kernel/values/point-types";
import { isPoints } from "../kernel/values/points";

export const ApprovalsInput = z.strictObject({ contractAddress: AddressField });

const ThresholdField = z
  .string()
  .refine(isPoints, rule("invalid_points", "must be a decimal string such as 1000 or 0.5"))
  .refine((value) => !/^[0.]*$/.test(value), rule("out_of_range", "must be more than 0"));

/** A change for another admin to approve. The last three are those of the contract's own procedures. */
export const ProposeChangeInput = z.discriminatedUnion("kind", [
  ApprovalsInput.extend({
    kind: z.literal("RULE"),
    pointType: PointTypeField,
    /** Null if no amount alone needs approval. */
    threshold: ThresholdField.nullable(),
    onUnusual: z.boolean(),
    reason: ReasonField,
  }),
  GrantPointsInput.extend({ kind: z.literal("GRANT"), reason: ReasonField }),
  SetIssuanceInput.extend({ kind: z.literal("ISSUANCE"), reason: ReasonField }),
  SetOperatorInput.extend({ kind: z.literal("OPERATOR"), reason: ReasonField }),
]);
export type ProposeChangeInput = z.output<typeof ProposeChangeInput>;

export const DecideChangeInput = ApprovalsInput.extend({ changeId: z.uuid(), reason: ReasonField });
export type DecideChangeInput = z.output<typeof DecideChangeInput>;

/** Which new batches of one point type need a second person. */
export interface ApprovalRule {
  pointType: PointType;
  threshold: string | null;
  onUnusual: boolean;
}

/** What an approval changes. */
export type ContractChange =
  | ({ kind: "RULE" } & ApprovalRule)
  | { kind: "GRANT"; pointType: PointType; points: string }
  | { kind: "ISSUANCE"; issuance: "ON_DEMAND" | "PREFUNDED" }
  | { kind: "OPERATOR"; operatorBefore: string | null; operatorAddress: string | null };

export type ChangeKind = ContractChange["kind"];

/** A change that another admin has to approve. */
export type ProposedChange = ContractChange & {
  id: string;
  reason: string;
  proposedBy: string;
  proposedAt: string;
};

export interface ContractApprovals {
  /** One for each point type. */
  rules: ApprovalRule[];
  proposed: ProposedChange[];
  /** Other people who could approve what the reader proposes. */
  otherAdmins: number;
}
