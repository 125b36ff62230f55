import { Amount, formatCount } from "@/app/ui/amount";
import { Fact, FactList } from "@/app/ui/section";
import type { AllocationFigures, AllocationRule } from "@/server/allocations/schema";
import { formatUnits } from "@/terms/units";

interface FiguresProps {
  figures: AllocationFigures;
  rule: AllocationRule;
  decimals: number;
  /** Name of the amounts' unit. */
  unit: string;
}

const DUST_NOTES = {
  PRO_RATA: "Dust is what rounding moved: one base unit each to the largest remainders.",
  FIXED_RATE: "Dust is what rounding down left. Nobody gets it.",
} as const satisfies Record<AllocationRule, string>;

/** Exact. */
export function Figures({ figures, rule, decimals, unit }: FiguresProps) {
  const { claims, withoutClaim, sum, dust, smallest, median, largest } = figures;
  const amounts = { Sum: sum, Dust: dust, Smallest: smallest, Median: median, Largest: largest };
  return (
    <div className="flex flex-col gap-2">
      <FactList className="@2xl:grid-cols-2">
        <Fact name="Claims">{formatCount(claims)}</Fact>
        <Fact name="Holders who get nothing">{formatCount(withoutClaim)}</Fact>
        {Object.entries(amounts).map(([name, units]) => (
          <Fact key={name} name={name}>
            <Amount
              value={formatUnits(BigInt(units), decimals)}
              wraps
              className={name === "Sum" ? "font-medium" : undefined}
            />
          </Fact>
        ))}
      </FactList>
      <p className="hint">
        Amounts are in {unit}. {DUST_NOTES[rule]}
      </p>
    </div>
  );
}
