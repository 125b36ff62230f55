import { formatPoints, parseSum } from "@/server/kernel/values/points";
import { isStored, type PartState, type Plan } from "./plan";

export interface Funds {
  before: string;
  after: string;
  /** Issued to an on-demand contract. */
  issued: string;
  /** What a prefunded contract still needs; "0" when it has enough. */
  shortfall: string;
}

/** The contract's balance after all parts that are not stored yet; null until the first reply. */
export function forecastFunds(
  plan: Pick<Plan, "parts" | "issuance">,
  states: readonly PartState[],
): Funds | null {
  const before = states.map(availableOf).find((available) => available !== undefined);
  if (before === undefined) return null;
  const available = parseSum(before);
  const needed = plan.parts.reduce(
    (sum, part, index) => (isStored(states[index]!) ? sum : sum + parseSum(part.points)),
    0n,
  );
  const short = needed > available ? needed - available : 0n;
  const isPrefunded = plan.issuance === "PREFUNDED";
  return {
    before,
    after: formatPoints(needed > available ? 0n : available - needed),
    issued: formatPoints(isPrefunded ? 0n : short),
    shortfall: formatPoints(isPrefunded ? short : 0n),
  };
}

function availableOf(state: PartState): string | undefined {
  if (state.kind === "ready" || state.kind === "stored") return state.available;
  return state.kind === "refused" ? state.problem.available : undefined;
}
