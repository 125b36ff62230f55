import { Amount, counted, formatCount } from "@/app/ui/amount";
import { Fact, FactList } from "@/app/ui/section";
import type { AllocationFigures, AllocationRule } from "@/server/allocations/schema";
import { type Payer, unitName } from "@/terms/claims/payers";
import { formatUnits } from "@/terms/units";

interface FiguresProps {
  figures: AllocationFigures;
  of: { rule: AllocationRule; decimals: number; payer: Payer | null };
}

const DUST_NOTES = {
  PRO_RATA: "What rounding down left goes to the largest remainders, one smallest unit each.",
  FIXED_RATE: "Nobody gets what rounding down left.",
} as const satisfies Record<AllocationRule, string>;

/** Exact. */
export function Figures({ figures, of: { rule, decimals, payer } }: FiguresProps) {
  const { claims, withoutClaim, sum, dust, smallest, median, largest } = figures;
  const amounts = {
    Sum: sum,
    "Smallest amount": smallest,
    "Median amount": median,
    "Largest amount": largest,
    "Left by rounding down": dust,
  };
  return (
    <div className="flex flex-col gap-2">
      <FactList className="@2xl:grid-cols-2">
        <Fact name="Recipients">
          {formatCount(claims)} of {counted(claims + withoutClaim, "holder", "holders")}
        </Fact>
        {Object.entries(amounts).map(([name, units]) => (
          <Fact key={name} name={name}>
            <Amount
              value={formatUnits(BigInt(units), decimals)}
              wraps
              className={name === "Sum" ? "font-medium" : undefined}
            />{" "}
            {unitName(payer)}
          </Fact>
        ))}
      </FactList>
      <p className="hint">{DUST_NOTES[rule]}</p>
    </div>
  );
}
