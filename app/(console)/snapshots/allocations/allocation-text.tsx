import { CircleCheck, CircleX, LoaderCircle, LockOpen } from "lucide-react";
import { counted, formatAmount } from "@/app/ui/amount";
import { Badge } from "@/app/ui/badge";
import type { AllocationOut } from "@/server/allocations/schema";
import { unitOfType } from "@/terms/batch-terms";
import { PAYERS, type Payer, unitName } from "@/terms/claims/payers";
import { formatUnits } from "@/terms/units";

const LOOKS = {
  RUNNING: { label: "Running", tone: "finalizing", icon: LoaderCircle },
  READY: { label: "Not published", tone: "pending", icon: LockOpen },
  FAILED: { label: "Failed", tone: "danger", icon: CircleX },
  PUBLISHED: { label: "Published", tone: "finalized", icon: CircleCheck },
} as const;

export const AllocationStatus = ({ status, publishedAt }: Pick<AllocationOut, "status" | "publishedAt">) => (
  <Badge {...LOOKS[publishedAt ? "PUBLISHED" : status]} spin={status === "RUNNING"} />
);

/** `point`, `gold`, `token`. */
export const oneOf = (unit: string) => unit.replace(/s$/, "");

const inUnit = (amount: string, payer: Payer | null) =>
  `${formatAmount(amount)} ${amount === "1" ? oneOf(unitName(payer)) : unitName(payer)}`;

/** Base units as `1,000.5 tokens`. */
export const amountText = (units: string, { decimals, payer }: Pick<AllocationOut, "decimals" | "payer">) =>
  inUnit(formatUnits(BigInt(units), decimals), payer);

export const ZERO_NOTE = "The zero address is left out, since nobody can spend what it gets.";

/** The whole rule, in sentences. */
export function ruleText(allocation: AllocationOut): string {
  const { rule, total, rate, payer, decimals, minimum, excluded, leavesOutZero } = allocation;
  const held = unitOfType(allocation.pointType);
  return [
    payer && `Who pays it out: ${PAYERS[payer].name}.`,
    rule === "PRO_RATA"
      ? `Exactly ${amountText(total!, allocation)} are shared in proportion to the ${held} held.`
      : `Each holder gets ${inUnit(rate!, payer)} per ${oneOf(held)}, rounded down.`,
    minimum !== "1" && `Holders who would get less than ${amountText(minimum, allocation)} get nothing.`,
    excluded > 0 && `${counted(excluded, "address is", "addresses are")} left out.`,
    leavesOutZero && ZERO_NOTE,
    decimals === 0 ? "Whole numbers only." : `Up to ${counted(decimals, "decimal", "decimals")}.`,
  ]
    .filter(Boolean)
    .join(" ");
}
