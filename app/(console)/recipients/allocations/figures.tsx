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
}

const DUST_NOTES = {
  PRO_RATA: "Rounding moved this much: one base unit each to the largest remainders.",
  FIXED_RATE: "Rounding down left this much, which nobody gets.",
} as const satisfies Record<AllocationRule, string>;

/** Exact, in tokens or in base units. */
export function Figures({ figures, rule, decimals }: FiguresProps) {
  const [inUnits, setInUnits] = useState(false);
  const { claims, withoutClaim, sum, dust, smallest, median, largest } = figures;
  const amounts = { Smallest: smallest, Median: median, Largest: largest, Dust: dust };
  const shown = (units: string) => (inUnits ? units : formatUnits(BigInt(units), decimals));
  return (
    <div className="flex flex-col gap-2">
      <FactList className="@2xl:grid-cols-2">
        <Fact name="Claims">{formatCount(claims)}</Fact>
        <Fact name="Holders who get nothing">{formatCount(withoutClaim)}</Fact>
        <Fact name="Sum" className="font-medium">
          <Amount value={shown(sum)} wraps />
        </Fact>
        {Object.entries(amounts).map(([name, units]) => (
          <Fact key={name} name={name} title={name === "Dust" ? DUST_NOTES[rule] : undefined}>
            <Amount value={shown(units)} wraps />
          </Fact>
        ))}
      </FactList>
      <div className="flex flex-wrap items-center justify-between gap-x-6 gap-y-1">
        <p className="hint">
          {inUnits ? "Amounts are in base units of the token." : "Amounts are in tokens."} Dust:{" "}
          {DUST_NOTES[rule]}
        </p>
        <CheckBox checked={inUnits} onChange={(event) => setInUnits(event.target.checked)}>
          Show base units
        </CheckBox>
      </div>
    </div>
  );
}
