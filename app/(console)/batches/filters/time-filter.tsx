"use client";
import dynamic from "next/dynamic";
import { useTimeZone } from "../../../ui/time-zone";
import { useListParams } from "../use-list-params";
import { describeRange } from "./describe-range";
import { FilterChip } from "./filter-chip";
import type { TimePreset } from "./time-choices";

const TimeChoices = dynamic(() => import("./time-choices").then((module) => module.TimeChoices), {
  ssr: false,
});

const DAY = 24;
const FUTURE: readonly TimePreset[] = [
  ["Next hour", 0, 1],
  ["Next 24 hours", 0, DAY],
  ["Next 7 days", 0, 7 * DAY],
  ["Last 24 hours", -DAY, 0],
];

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
      presets={name === "Due" ? FUTURE : undefined}
      from={params[from]}
      to={params[to]}
      onChange={(range) => void setParams({ [from]: range.from, [to]: range.to })}
    />
  );
}

interface TimeChipProps {
  name: string;
  presets?: readonly TimePreset[] | undefined;
  from: Date | null;
  to: Date | null;
  onChange: (range: { from: Date | null; to: Date | null }) => void;
}

export function TimeChip({ name, presets, from, to, onChange }: TimeChipProps) {
  const { zone } = useTimeZone();
  return (
    <FilterChip
      name={name}
      value={from || to ? describeRange(from, to, zone) : undefined}
      onClear={() => onChange({ from: null, to: null })}
    >
      {(close) => (
        <TimeChoices
          presets={presets}
          onChoose={(range) => {
            onChange(range);
            close();
          }}
        />
      )}
    </FilterChip>
  );
}
