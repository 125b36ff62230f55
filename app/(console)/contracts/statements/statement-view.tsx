import { CalendarClock, CalendarX } from "lucide-react";
import { TYPE_LABELS } from "@/app/(console)/batches/status";
import { ALL_STATEMENTS, statementsPath, transfersCsvPath } from "@/app/(console)/paths";
import { Amount, AmountHeading, fractionDigits } from "@/app/ui/amount";
import { Badge } from "@/app/ui/badge";
import { ButtonLink, DownloadLink } from "@/app/ui/button";
import { type DataColumn, DataTable } from "@/app/ui/data-table";
import { formatInstant } from "@/app/ui/format-time";
import { HashText } from "@/app/ui/hash-text";
import { Section } from "@/app/ui/section";
import { EmptyState } from "@/app/ui/states";
import type { ConsoleStatement, StatementMonth } from "@/server/statements/make-statement";
import type { StatementOut } from "@/server/statements/schema";
import { nameOfMonth } from "@/terms/batch-terms";
import { ExportPeriod, StatementControls } from "./controls";
import { type Figure, figuresOf } from "./statement-csv";

const readAtText = ({ readAt }: StatementMonth) => `${formatInstant(readAt, "UTC")} UTC`;

export function StatementTitle({ title, statement }: { title: string; statement: StatementMonth }) {
  const { month, isFinal, currentMonth } = statement;
  return (
    <h1 className="flex flex-wrap items-center gap-x-2 gap-y-1 font-semibold text-title">
      {title} for {nameOfMonth(month)}
      {!isFinal && (
        <Badge
          tone="overdue"
          icon={CalendarClock}
          label={month === currentMonth ? "So far" : "Not final yet"}
        />
      )}
    </h1>
  );
}

/** @param path without a month, which leads to the current one */
export const NoStatement = ({ detail, path }: { detail: string; path: string }) => (
  <EmptyState icon={CalendarX} heading="h1" title="No statement">
    {detail}
    <ButtonLink href={path}>View the current month</ButtonLink>
  </EmptyState>
);

export const StatementNote = ({ statement }: { statement: StatementMonth }) => (
  <p className="hint">
    Months begin and end at midnight UTC, regardless of the console’s time zone. These figures are from{" "}
    {readAtText(statement)}. {!statement.isFinal && "They are final ten minutes after the month ends."}
  </p>
);

/** `Opening balance + issued − sent = closing balance.` */
function equationOf(figures: readonly Figure[]): string {
  const terms = figures.flatMap(({ name, sign }) => (sign ? `${sign} ${name.toLowerCase()}` : []));
  return `Opening balance ${terms.join(" ")} = closing balance.`;
}

export function StatementView({ statement }: { statement: ConsoleStatement }) {
  const { contractAddress, month, from, to, currentMonth } = statement;
  const figures = figuresOf(statement.statements);
  const lastDay = formatInstant(Date.parse(to) - 1, "UTC").slice(0, 10);
  const times = {
    opening: `On ${from.slice(0, 10)} at 00:00 UTC`,
    closing: month === currentMonth ? `So far, at ${readAtText(statement)}` : `On ${lastDay} at 24:00 UTC`,
  };
  return (
    <div className="mx-auto flex w-full max-w-[960px] flex-col gap-6 p-4 md:p-6 print:p-0">
      <div className="flex flex-wrap items-start gap-x-4 gap-y-3">
        <div className="min-w-0">
          <StatementTitle title="Statement" statement={statement} />
          <p className="break-words text-table">{statement.contractLabel}</p>
          <HashText value={contractAddress} what="contract address" form="whole" className="text-muted" />
        </div>
        <ButtonLink href={`${ALL_STATEMENTS}?month=${month}`} className="ml-auto print:hidden">
          All contracts
        </ButtonLink>
      </div>
      <StatementControls path={statementsPath(contractAddress)} statement={statement} />
      <div className="flex flex-col gap-2">
        <DataTable
          label="Statement"
          columns={[figureColumn(times), ...statement.statements.map(amountsOf)]}
          rows={figures}
          keyOf={({ key }) => key}
        />
        <p className="hint">{equationOf(figures)}</p>
        <StatementNote statement={statement} />
      </div>
      <div className="print:hidden">
        <Section title="Transfers" note="One row per transfer, as CSV">
          <div className="card flex flex-wrap items-center gap-2 p-4">
            <DownloadLink href={transfersCsvPath(contractAddress, "finalized", statement)}>
              Finalized in {nameOfMonth(month)}
            </DownloadLink>
            <DownloadLink href={transfersCsvPath(contractAddress, "created", statement)}>
              Submitted in {nameOfMonth(month)}
            </DownloadLink>
            <ExportPeriod contractAddress={contractAddress} />
            <p className="w-full hint">
              Of the finalized transfers, “counted” adds up to the amount sent less what was taken back.
              Transfers submitted in the month may still be pending, cancelled or finalized later.
            </p>
          </div>
        </Section>
      </div>
    </div>
  );
}

function amountsOf({ pointType, ...amounts }: StatementOut): DataColumn<Figure> {
  const fraction = fractionDigits(Object.values(amounts));
  return {
    name: TYPE_LABELS[pointType],
    heading: <AmountHeading name={TYPE_LABELS[pointType]} fraction={fraction} />,
    right: true,
    render: ({ key, sign, isTotal }) => {
      const value = amounts[key] ?? "0";
      return (
        <span className={isTotal && "font-semibold"}>
          {value !== "0" && sign}
          <Amount value={value} fraction={fraction} />
        </span>
      );
    },
  };
}

/** @param times of the balances, as hints */
const figureColumn = (times: Partial<Record<Figure["key"], string>>): DataColumn<Figure> => ({
  name: "Figure",
  isRowHeader: true,
  render: ({ key, name, hint = times[key], isTotal }) => (
    <span className={isTotal ? "font-semibold" : "font-medium"}>
      {name}
      {isTotal && " balance"}
      <span className="block font-normal hint max-sm:hidden print:block">{hint}</span>
    </span>
  ),
});
