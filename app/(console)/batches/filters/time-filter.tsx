"use client";
import dynamic from "next/dynamic";
import { useTimeZone } from "../../../ui/time-zone";
import { useListParams } from "../use-list-params";
import { describeRange } from "./describe-range";
import { FilterChip } from "./filter-chip";

const TimeChoices = dynamic(() => import("./time-choices").then((module) => module.TimeChoices), {
  ssr: false,
});

const TIMES = {
  Created: { from: "from", to: "to" },
  Due: { from: "dueFrom", to: "dueTo" },
  Finalized: { from: "finalizedFrom", to: "finalizedTo" },
} as const;

export function TimeFilter({ name }: { name: keyof typeof TIMES }) {
  const { params, setParams } = useListParams();
  const { from, to } = TIMES[name];
  return (
    <TimeChip
      name={name}
      isFuture={name === "Due"}
      from={params[from]}
      to={params[to]}
      onChange={(range) => void setParams({ [from]: range.from, [to]: range.to })}
    />
  );
}

interface TimeChipProps {
  name: string;
  isFuture?: boolean;
  from: Date | null;
  to: Date | null;
  onChange: (range: { from: Date | null; to: Date | null }) => void;
}

export function TimeChip({ name, isFuture, from, to, onChange }: TimeChipProps) {
  const { zone } = useTimeZone();
  return (
    <FilterChip
      name={name}
      value={from || to ? describeRange(from, to, zone) : undefined}
      onClear={() => onChange({ from: null, to: null })}
    >
      {(closing) => <TimeChoices isFuture={isFuture} onChoose={closing(onChange)} />}
    </FilterChip>
  );
}
