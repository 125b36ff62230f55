"use client";
import { useState } from "react";
import { DownloadLink } from "../../../ui/download-link";
import { useTimeZone } from "../../../ui/time-zone";
import { describeRange } from "../../batches/filters/describe-range";
import { FilterChip, TimeChoices } from "../../batches/filters/filter-chip";
import { transfersCsvPath } from "./month-param";

/** Exports the transfers of any period, in the console's time zone. */
export function ExportPeriod({ contractAddress }: { contractAddress: string }) {
  const { zone } = useTimeZone();
  const [period, setPeriod] = useState<{ from: Date; to: Date }>();
  const link = (by: "created" | "finalized", name: string) =>
    period && (
      <DownloadLink
        href={transfersCsvPath(contractAddress, by, {
          from: period.from.toISOString(),
          to: period.to.toISOString(),
        })}
        size="small"
      >
        {name}
      </DownloadLink>
    );
  return (
    <span className="flex flex-wrap items-center gap-1.5">
      <FilterChip
        name="Another period"
        value={period && `${describeRange(period.from, period.to, zone)}, ${zone}`}
        onClear={() => setPeriod(undefined)}
      >
        {(closing) => (
          <TimeChoices onChoose={closing(({ from, to }) => setPeriod({ from, to: to ?? new Date() }))} />
        )}
      </FilterChip>
      {link("finalized", "Finalized")}
      {link("created", "Submitted")}
    </span>
  );
}
