import type { AllocationRule } from "@/server/allocations/schema";
import { parseTokens, TOKEN_DECIMALS_MAX } from "@/terms/token-amounts";

/** A rule as it is entered. */
export interface RuleTexts {
  rule: AllocationRule;
  /** The total, or the rate. */
  amount: string;
  decimals: string;
  /** Empty for the smallest unit. */
  minimum: string;
}

type RuleTerms = { decimals: number; minimum: string } & (
  | { rule: "PRO_RATA"; total: string }
  | { rule: "FIXED_RATE"; rate: string }
);

interface ReadRule {
  /** As the server takes them. Null until they are complete. */
  terms: RuleTerms | null;
  /** A field that is empty is not an error yet. */
  errors: Partial<Record<"amount" | "decimals" | "minimum", string>>;
}

export function readRule({ rule, amount, decimals: places, minimum }: RuleTexts): ReadRule {
  const decimals = Number(places);
  if (!/^\d{1,2}$/.test(places) || decimals > TOKEN_DECIMALS_MAX)
    return { terms: null, errors: { decimals: `Enter a whole number from 0 to ${TOKEN_DECIMALS_MAX}.` } };
  const [units, least] = [
    parseTokens(amount, decimals),
    minimum === "" ? 1n : parseTokens(minimum, decimals),
  ];
  const errors: ReadRule["errors"] = {
    ...(amount !== "" && !units && { amount: amountError(decimals) }),
    ...(!least && { minimum: amountError(decimals) }),
  };
  if (!units || !least) return { terms: null, errors };
  const common = { decimals, minimum: String(least) };
  return {
    terms:
      rule === "PRO_RATA" ? { ...common, rule, total: String(units) } : { ...common, rule, rate: amount },
    errors,
  };
}

const amountError = (decimals: number) =>
  decimals === 0
    ? "Enter a whole number above 0, without separators. The token has no decimals."
    : `Enter a number above 0, such as 1000000 or 0.5, without separators. It can have ${decimals} decimals.`;
