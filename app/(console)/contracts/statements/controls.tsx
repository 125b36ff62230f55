"use client";
import { Printer } from "lucide-react";
import { useRouter } from "next/navigation";
import { useState } from "react";
import { describeRange, FilterChip, TimeChoices } from "@/app/(console)/batches/filters/filter-chip";
import { transfersCsvPath } from "@/app/(console)/paths";
import { Button, DownloadLink } from "@/app/ui/button";
import { NativeSelect } from "@/app/ui/fields";
import { useTimeZone } from "@/app/ui/time";
import type { StatementMonth } from "@/server/statements/make-statement";
import { monthsBackTo, nameOfMonth } from "@/terms/batch-terms";

/** 20 years. Links to earlier months still work. */
const MONTHS_MAX = 240;

/** @param path of the page, whose file is at `export` below it */
export function StatementControls({ path, statement }: { path: string; statement: StatementMonth }) {
  const { month, firstMonth, currentMonth } = statement;
  const router = useRouter();
  return (
    <div className="flex flex-wrap items-center gap-2 print:hidden">
      <NativeSelect
        aria-label="Month"
        value={month}
        onChange={({ target }) => router.push(`${path}?month=${target.value}`)}
        className="w-56"
      >
        {monthsBackTo(firstMonth, currentMonth, MONTHS_MAX).map((each, at) => (
          <option key={each} value={each}>
            {nameOfMonth(each)}
            {at === 0 ? " (so far)" : ""}
          </option>
        ))}
      </NativeSelect>
      <div className="ml-auto flex flex-wrap gap-2">
        <DownloadLink href={`${path}/export?month=${month}`}>Download CSV</DownloadLink>
        <Button icon={Printer} onClick={() => window.print()}>
          Print
        </Button>
      </div>
    </div>
  );
}

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
