import { counted, formatCount } from "@/app/ui/amount";
import { Fact, FactList } from "@/app/ui/section";
import type { AllocationFigures, AllocationOut } from "@/server/allocations/schema";
import { amountText } from "./allocation-text";

interface FiguresProps {
  figures: AllocationFigures;
  of: Pick<AllocationOut, "rule" | "decimals" | "payer">;
}

/** Exact. */
export function Figures({ figures, of }: FiguresProps) {
  const { claims, withoutClaim, sum, dust, smallest, median, largest } = figures;
  const amounts = {
    Sum: sum,
    "Smallest amount": smallest,
    "Median amount": median,
    "Largest amount": largest,
    [of.rule === "PRO_RATA" ? "Added by rounding up" : "Lost by rounding down"]: dust,
  };
  return (
    <div className="flex flex-col gap-2">
      <FactList className="@2xl:grid-cols-2">
        <Fact name="Recipients">
          {formatCount(claims)} of {counted(claims + withoutClaim, "holder", "holders")}
        </Fact>
        {Object.entries(amounts).map(([name, units]) => (
          <Fact key={name} name={name}>
            <span className={name === "Sum" ? "font-medium" : undefined}>{amountText(units, of)}</span>
          </Fact>
        ))}
      </FactList>
      {withoutClaim > 0 && (
        <p className="text-table">
          {counted(withoutClaim, "holder gets", "holders get")} nothing: they held too little, or are left
          out.
        </p>
      )}
    </div>
  );
}
