"use client";
import dynamic from "next/dynamic";
import { useTimeZone } from "../../../ui/time-zone";
import { formatDay, formatInstant } from "../../../ui/zone-time";
import { useListParams } from "../use-list-params";
import { FilterChip } from "./filter-chip";

const CreatedChoices = dynamic(() => import("./created-choices").then((module) => module.CreatedChoices), {
  ssr: false,
});

export function CreatedFilter() {
  const { params, setParams } = useListParams();
  const { zone } = useTimeZone();
  const { from, to } = params;
  return (
    <FilterChip
      name="Created"
      value={from || to ? describeRange(from, to, zone) : undefined}
      onClear={() => void setParams({ from: null, to: null })}
    >
      {(close) => (
        <CreatedChoices
          onChoose={(range) => {
            void setParams(range);
            close();
          }}
        />
      )}
    </FilterChip>
  );
}

function describeRange(from: Date | null, to: Date | null, zone: string): string {
  const isMidnight = (at: Date) => formatInstant(at.getTime(), zone).endsWith("00:00:00");
  if (from && to && isMidnight(from) && isMidnight(to)) {
    const first = formatDay(from.getTime(), zone);
    const last = formatDay(to.getTime() - 1, zone);
    return first === last ? first : `${first} to ${last}`;
  }
  const bounds = [
    from && `from ${formatInstant(from.getTime(), zone)}`,
    to && `before ${formatInstant(to.getTime(), zone)}`,
  ];
  return bounds.filter(Boolean).join(" ");
}
