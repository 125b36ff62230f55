"use client";
import { Download } from "lucide-react";
import dynamic from "next/dynamic";
import { useState } from "react";
import { buttonLook } from "../../../ui/button";
import { useTimeZone } from "../../../ui/time-zone";
import { describeRange } from "../../batches/filters/describe-range";
import { FilterChip } from "../../batches/filters/filter-chip";
import { transfersCsvPath } from "./month-param";

const Choices = dynamic(
  () => import("../../batches/filters/time-choices").then((module) => module.TimeChoices),
  { ssr: false },
);

/** Chooses any other period, in the console's time zone, for an export of transfers. */
export function ExportPeriod({ contractAddress }: { contractAddress: string }) {
  const { zone } = useTimeZone();
  const [period, setPeriod] = useState<{ from: Date; to: Date }>();
  const link = (by: "created" | "finalized", name: string) =>
    period && (
      <a
        href={transfersCsvPath(contractAddress, by, {
          from: period.from.toISOString(),
          to: period.to.toISOString(),
        })}
        download
        className={buttonLook({ size: "small" })}
      >
        <Download aria-hidden size={14} className="text-muted" />
        {name}
      </a>
    );
  return (
    <span className="flex flex-wrap items-center gap-1.5">
      <FilterChip
        name="Another period"
        value={period && `${describeRange(period.from, period.to, zone)}, ${zone}`}
        onClear={() => setPeriod(undefined)}
      >
        {(close) => (
          <Choices
            onChoose={({ from, to }) => {
              setPeriod({ from, to: to ?? new Date() });
              close();
            }}
          />
        )}
      </FilterChip>
      {link("finalized", "Finalized")}
      {link("created", "Submitted")}
    </span>
  );
}
