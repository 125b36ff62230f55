import { CalendarClock } from "lucide-react";
import { monthsBackTo, nameOfMonth } from "@/server/kernel/values/batch-terms";
import type { ConsoleStatement } from "@/server/statements/statement-schema";
import { Badge } from "../../../ui/badge";
import { ButtonLink } from "../../../ui/button-link";
import { DownloadLink } from "../../../ui/download-link";
import { HashText } from "../../../ui/hash-text";
import { formatInstant } from "../../../ui/zone-time";
import { Section } from "../../batches/batch/section";
import { contractPath } from "../paths";
import { ExportPeriod } from "./export-period";
import { statementCsvPath, transfersOfMonth } from "./month-param";
import { MonthPicker } from "./month-picker";
import { PrintButton } from "./print-button";
import { StatementTable } from "./statement-table";

/** 20 years. Links to earlier months still work. */
const MONTHS_MAX = 240;

export function StatementView({ statement }: { statement: ConsoleStatement }) {
  const { contractAddress, month, from, to, readAt, isFinal, firstMonth, currentMonth } = statement;
  const isCurrent = month === currentMonth;
  const readAtText = `${formatInstant(readAt, "UTC")} UTC`;
  const lastDay = formatInstant(Date.parse(to) - 1, "UTC").slice(0, 10);
  return (
    <div className="flex flex-col gap-6 p-4 md:p-6 print:p-0">
      <div className="flex flex-wrap items-start gap-x-4 gap-y-3">
        <div className="min-w-0">
          <h1 className="flex flex-wrap items-center gap-x-2 gap-y-1 font-semibold text-title">
            Statement for {nameOfMonth(month)}
            {!isFinal && (
              <Badge tone="overdue" icon={CalendarClock}>
                {isCurrent ? "So far" : "Not final yet"}
              </Badge>
            )}
          </h1>
          <p className="break-words text-table">{statement.contractLabel}</p>
          <HashText value={contractAddress} what="contract address" form="narrow" className="text-muted" />
        </div>
        <ButtonLink href={contractPath(contractAddress)} className="ml-auto">
          View contract
        </ButtonLink>
      </div>
      <div className="flex flex-wrap items-center gap-2 print:hidden">
        <MonthPicker
          contractAddress={contractAddress}
          month={month}
          months={monthsBackTo(firstMonth, currentMonth, MONTHS_MAX)}
        />
        <div className="ml-auto flex flex-wrap gap-2">
          <DownloadLink href={statementCsvPath(contractAddress, month)}>Download CSV</DownloadLink>
          <PrintButton />
        </div>
      </div>
      <div className="flex flex-col gap-2">
        <StatementTable
          statements={statement.statements}
          opens={`On ${from.slice(0, 10)} at 00:00 UTC`}
          closes={isCurrent ? `So far, at ${readAtText}` : `On ${lastDay} at 24:00 UTC`}
        />
        <p className="text-label text-muted">
          Opening balance + issued + received − sent = closing balance. Months begin and end at midnight UTC,
          regardless of the console’s time zone. These figures are from {readAtText}.{" "}
          {!isFinal && "They are final ten minutes after the month ends."}
        </p>
      </div>
      <div className="print:hidden">
        <Section title="Transfers" note="One row per transfer, as CSV">
          <div className="flex flex-wrap items-center gap-2 rounded-card border border-line bg-surface p-4">
            <DownloadLink href={transfersOfMonth(contractAddress, "finalized", month)}>
              Finalized in {nameOfMonth(month)}
            </DownloadLink>
            <DownloadLink href={transfersOfMonth(contractAddress, "created", month)}>
              Submitted in {nameOfMonth(month)}
            </DownloadLink>
            <ExportPeriod contractAddress={contractAddress} />
            <p className="w-full text-label text-muted">
              The finalized transfers add up to the amount sent. Transfers submitted in the month may still be
              pending, cancelled or finalized later.
            </p>
          </div>
        </Section>
      </div>
    </div>
  );
}
