import { CircleCheck, CircleX, LoaderCircle, LockOpen } from "lucide-react";
import { counted, formatAmount } from "@/app/ui/amount";
import { Badge } from "@/app/ui/badge";
import type { AllocationOut } from "@/server/allocations/schema";
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

/** Base units as `1,000.5 tokens`. */
export const tokensText = (units: string, decimals: number) => inTokens(formatUnits(BigInt(units), decimals));
const inTokens = (tokens: string) => `${formatAmount(tokens)} ${tokens === "1" ? "token" : "tokens"}`;

type Rule = Pick<AllocationOut, "rule" | "total" | "rate" | "decimals">;

export const shortRule = ({ rule, total, rate, decimals }: Rule) =>
  rule === "PRO_RATA" ? `Share of ${tokensText(total!, decimals)}` : `${inTokens(rate!)} per point`;

/** The whole rule, in sentences. */
export function ruleText(allocation: Rule & Pick<AllocationOut, "minimum" | "excluded">): string {
  const { rule, total, rate, decimals, minimum, excluded } = allocation;
  return [
    rule === "PRO_RATA"
      ? `Exactly ${tokensText(total!, decimals)} are shared in proportion to the points that each holder has.`
      : `Each holder gets ${inTokens(rate!)} per point, rounded down.`,
    minimum !== "1" && `Holders who would get less than ${tokensText(minimum, decimals)} get nothing.`,
    excluded > 0 && `${counted(excluded, "address is", "addresses are")} left out.`,
    `The token has ${counted(decimals, "decimal", "decimals")}.`,
  ]
    .filter(Boolean)
    .join(" ");
}
