import type { AllocationRule } from "@/server/allocations/schema";
import { PAYERS, type Payer } from "@/terms/claims/payers";
import { POINTS_DECIMALS } from "@/terms/points";
import { parseTokens, TOKEN_DECIMALS_MAX } from "@/terms/token-amounts";

/** A rule as it is entered. */
export interface RuleTexts {
  /** Null until it is chosen. */
  payer: Payer | null;
  rule: AllocationRule;
  /** The total, or the rate. */
  amount: string;
  decimals: string;
  /** Empty for the least that can be paid. */
  minimum: string;
}

type RuleTerms = { payer: Payer; decimals: number; minimum?: string } & (
  | { rule: "PRO_RATA"; total: string }
  | { rule: "FIXED_RATE"; rate: string }
);

interface ReadRule {
  /** As the server takes them. Null until they are complete. */
  terms: RuleTerms | null;
  /** A field that is empty is not an error yet. */
  errors: Partial<Record<"amount" | "decimals" | "minimum", string>>;
}

export function readRule({ payer, rule, amount, decimals: places, minimum }: RuleTexts): ReadRule {
  if (payer === null || places === "") return { terms: null, errors: {} };
  const decimals = Number(places);
  const decimalsMax = PAYERS[payer].pointType ? POINTS_DECIMALS : TOKEN_DECIMALS_MAX;
  if (!/^\d{1,2}$/.test(places) || decimals > decimalsMax)
    return { terms: null, errors: { decimals: `Enter a whole number from 0 to ${decimalsMax}.` } };
  const amountDecimals = rule === "PRO_RATA" ? decimals : TOKEN_DECIMALS_MAX;
  const units = parseTokens(amount, amountDecimals);
  const least = minimum === "" ? undefined : parseTokens(minimum, decimals);
  const isLeast = least === undefined || Boolean(least);
  const errors: ReadRule["errors"] = {
    ...(amount !== "" && !units && { amount: amountError(amountDecimals) }),
    ...(!isLeast && { minimum: amountError(decimals) }),
  };
  if (!units || !isLeast) return { terms: null, errors };
  const common = { payer, decimals, ...(least && { minimum: String(least) }) };
  return {
    terms:
      rule === "PRO_RATA" ? { ...common, rule, total: String(units) } : { ...common, rule, rate: amount },
    errors,
  };
}

const amountError = (decimals: number) =>
  decimals === 0
    ? "Enter a whole number above 0, without separators."
    : `Enter a number above 0, such as 1000000 or 0.5, without separators. It can have ${decimals} decimals.`;
