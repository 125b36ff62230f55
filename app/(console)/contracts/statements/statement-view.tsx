import { CalendarClock } from "lucide-react";
import type { ReactNode } from "react";
import { TYPE_LABELS } from "@/app/(console)/batches/status";
import { contractPath, statementCsvPath, transfersOfMonth } from "@/app/(console)/contracts/paths";
import { Amount, fractionDigits } from "@/app/ui/amount";
import { Badge } from "@/app/ui/badge";
import { ButtonLink, DownloadLink } from "@/app/ui/button-link";
import { classNames } from "@/app/ui/class-names";
import { formatInstant } from "@/app/ui/format-time";
import { HashText } from "@/app/ui/hash-text";
import { ScrollRegion } from "@/app/ui/scroll-region";
import { Section } from "@/app/ui/section";
import { monthsBackTo, nameOfMonth } from "@/server/kernel/values/batch-terms";
import type { ConsoleStatement, StatementOut } from "@/server/statements/schema";
import { ExportPeriod, MonthPicker, PrintButton } from "./controls";

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

interface StatementTableProps {
  statements: readonly StatementOut[];
  /** Hints on when the month opened and closed. */
  opens: string;
  closes: string;
}

export function StatementTable({ statements, opens, closes }: StatementTableProps) {
  const cells = (key: keyof Omit<StatementOut, "pointType">, sign = "") =>
    statements.map((statement) => (
      <td key={statement.pointType} className="px-4 py-2 text-right align-top max-sm:px-3">
        {sign && (statement[key] ?? "0") !== "0" && <span className="mr-0.5 text-muted">{sign}</span>}
        <Amount value={statement[key] ?? "0"} fraction={fractionsOf(statement)} />
      </td>
    ));
  return (
    <ScrollRegion
      aria-label="Statement"
      className="overflow-x-auto rounded-card border border-line bg-surface print:border-0"
    >
      <table className="w-full text-table">
        <thead>
          <tr className="border-line border-b text-label text-muted">
            <th scope="col" className="px-4 py-2 text-left font-medium">
              <span className="sr-only">Figure</span>
            </th>
            {statements.map(({ pointType }) => (
              <th key={pointType} scope="col" className="px-4 py-2 text-right font-medium">
                {TYPE_LABELS[pointType]}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          <Row name="Opening balance" hint={opens} isTotal>
            {cells("opening")}
          </Row>
          {MOVEMENTS.filter(
            (row) => !("isRare" in row) || statements.some(({ [row.key]: points }) => points),
          ).map(({ key, name, hint, sign }) => (
            <Row key={key} name={name} hint={hint}>
              {cells(key, sign)}
            </Row>
          ))}
          <Row name="Closing balance" hint={closes} isTotal>
            {cells("closing")}
          </Row>
        </tbody>
        <tbody className="text-muted [&>tr:last-child]:border-b-0">
          {BESIDES.map(({ key, name, hint }) => (
            <Row key={key} name={name} hint={hint}>
              {cells(key)}
            </Row>
          ))}
        </tbody>
      </table>
    </ScrollRegion>
  );
}

const fractionsOf = ({ pointType: _, ...figures }: StatementOut) => fractionDigits(Object.values(figures));

interface RowProps {
  name: string;
  hint: string;
  isTotal?: boolean;
  children: ReactNode;
}

function Row({ name, hint, isTotal, children }: RowProps) {
  return (
    <tr className={classNames("border-line border-b", isTotal && "font-semibold")}>
      <th scope="row" className={classNames("px-4 py-2 text-left max-sm:px-3", !isTotal && "font-medium")}>
        {name}
        <span className="block font-normal text-label text-muted max-sm:hidden print:block">{hint}</span>
      </th>
      {children}
    </tr>
  );
}

type Figure = Exclude<keyof StatementOut, "pointType">;

/** In the order in which they add up. `sign` precedes the amount. An `isRare` row is shown only if a type has such points. */
const MOVEMENTS = [
  { key: "issued", name: "Issued", hint: "Issued on demand, or granted by staff", sign: "+" },
  {
    key: "received",
    name: "Received",
    hint: "From other contracts, in batches finalized in the month",
    sign: "+",
  },
  {
    key: "takenBack",
    name: "Taken back",
    hint: "From recipients, by the contract's reversals finalized in the month",
    sign: "+",
    isRare: true,
  },
  { key: "sent", name: "Sent", hint: "In batches finalized in the month", sign: "−" },
  {
    key: "givenBack",
    name: "Given back",
    hint: "To other contracts, by their reversals finalized in the month",
    sign: "−",
    isRare: true,
  },
] as const satisfies readonly { key: Figure; name: string; hint: string; sign: string; isRare?: true }[];

/** These change no balance. */
const BESIDES = [
  {
    key: "pending",
    name: "Pending",
    hint: "Part of the closing balance, reserved by batches that were neither finalized nor cancelled by then",
  },
  {
    key: "cancelled",
    name: "Cancelled",
    hint: "In batches cancelled in the month. The points stayed with the contract",
  },
] as const satisfies readonly { key: Figure; name: string; hint: string }[];
