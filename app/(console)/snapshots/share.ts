import { parseSum } from "@/terms/points";
import { formatUnits } from "@/terms/units";

/** In percent with at most two decimals, rounded down: `12.34`. Exact, because it never becomes a float. */
export function percentOf(part: string, whole: string): string {
  const all = parseSum(whole);
  if (all === 0n) return "0";
  return formatUnits((parseSum(part) * 10_000n) / all, 2);
}

export function shareText(part: string, whole: string): string {
  const percent = percentOf(part, whole);
  return percent === "0" && part !== "0" ? "<0.01%" : `${percent}%`;
}
