import { z } from "zod";
import { ReasonField } from "@/server/batches/list/console-schema";
import type { Issuance } from "@/server/contracts/change-contract";
import {
  AmountField,
  GrantPointsInput,
  SetDefaultWaitInput,
  SetIssuanceInput,
  SetOperatorInput,
} from "@/server/contracts/schema";
import { ContractInput } from "@/terms/batch-schema";
import type { PointType } from "@/terms/batch-terms";
import { PointTypeField } from "@/terms/fields";

/** A change for another admin to approve. All but the first have the fields of the contract's procedures. */
export const ProposeChangeInput = z.discriminatedUnion("kind", [
  ContractInput.extend({
    kind: z.literal("RULE"),
    pointType: PointTypeField,
    /** Null if no amount alone needs approval. */
    threshold: AmountField.nullable(),
    onUnusual: z.boolean(),
    /** Null if no sum of a day needs approval. */
    dayThreshold: AmountField.nullable(),
    reason: ReasonField,
  }),
  GrantPointsInput.extend({ kind: z.literal("GRANT"), reason: ReasonField }),
  SetIssuanceInput.extend({ kind: z.literal("ISSUANCE"), reason: ReasonField }),
  SetOperatorInput.extend({ kind: z.literal("OPERATOR"), reason: ReasonField }),
  SetDefaultWaitInput.extend({ kind: z.literal("WAIT"), reason: ReasonField }),
]);
export type ProposeChangeInput = z.output<typeof ProposeChangeInput>;

export const DecideChangeInput = ContractInput.extend({ changeId: z.uuid(), reason: ReasonField });
export type DecideChangeInput = z.output<typeof DecideChangeInput>;

/** Which new batches of one point type need a second person. */
export interface ApprovalRule {
  pointType: PointType;
  threshold: string | null;
  onUnusual: boolean;
  /** How many points may pass on a UTC day without approval, less than this. */
  dayThreshold: string | null;
}

export type ContractChange =
  | ({ kind: "RULE" } & ApprovalRule)
  | { kind: "GRANT"; pointType: PointType; points: string }
  | { kind: "ISSUANCE"; issuance: Issuance }
  | { kind: "OPERATOR"; operatorBefore: string | null; operatorAddress: string | null }
  | { kind: "WAIT"; seconds: number };

export type ChangeKind = ContractChange["kind"];

/** As people read it. Addresses are in full, so that they can be compared. */
export interface ChangeWords {
  what: string;
  /** What is now. */
  before: string;
  after: string;
}

export type ProposedChange = ContractChange &
  ChangeWords & {
    id: string;
    reason: string;
    proposedBy: string;
    proposedAt: string;
  };
