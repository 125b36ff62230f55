"use client";
import { useState } from "react";
import { Amount, formatCount } from "@/app/ui/amount";
import { CheckBox } from "@/app/ui/fields";
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

/** Exact, in their unit or in base units. */
export function Figures({ figures, rule, decimals, unit }: FiguresProps) {
  const [inUnits, setInUnits] = useState(false);
  const { claims, withoutClaim, sum, dust, smallest, median, largest } = figures;
  const amounts = { Sum: sum, Dust: dust, Smallest: smallest, Median: median, Largest: largest };
  const shown = (units: string) => (inUnits ? units : formatUnits(BigInt(units), decimals));
  return (
    <div className="flex flex-col gap-2">
      <FactList className="@2xl:grid-cols-2">
        <Fact name="Claims">{formatCount(claims)}</Fact>
        <Fact name="Holders who get nothing">{formatCount(withoutClaim)}</Fact>
        {Object.entries(amounts).map(([name, units]) => (
          <Fact key={name} name={name}>
            <Amount value={shown(units)} wraps className={name === "Sum" ? "font-medium" : undefined} />
          </Fact>
        ))}
      </FactList>
      <div className="flex flex-wrap items-center justify-between gap-x-6 gap-y-1">
        <p className="hint">
          Amounts are in {inUnits ? "base units" : unit}. {DUST_NOTES[rule]}
        </p>
        <CheckBox checked={inUnits} onChange={(event) => setInUnits(event.target.checked)}>
          Show base units
        </CheckBox>
      </div>
    </div>
  );
}
