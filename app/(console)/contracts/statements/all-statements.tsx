"use client";
import { useInfiniteQuery } from "@tanstack/react-query";
import { TYPE_LABELS } from "@/app/(console)/batches/status";
import { ALL_STATEMENTS, statementPath } from "@/app/(console)/paths";
import { problemOf } from "@/app/data/problem";
import { usePages, useTRPC } from "@/app/data/trpc";
import { TextLink } from "@/app/ui/button";
import { amountColumn, type DataColumn, DataTable } from "@/app/ui/data-table";
import { MoreRows } from "@/app/ui/more-rows";
import { Section } from "@/app/ui/section";
import { Loaded, PageSkeleton } from "@/app/ui/states";
import { POINT_TYPES, unitOfType } from "@/terms/batch-terms";
import { StatementControls } from "./controls";
import { type Figure, figuresOf, type StatementRow, statementRows, sumRows } from "./statement-csv";
import { NoStatement, StatementNote, StatementTitle } from "./statement-view";

export function AllStatements({ month }: { month: string }) {
  const query = useInfiniteQuery(usePages(useTRPC().console.statements.all, { month }));
  const problem = query.error && problemOf(query.error);
  if (problem?.code === "validation_failed")
    return <NoStatement detail={problem.detail} path={ALL_STATEMENTS} />;
  return (
    <Loaded query={query} skeleton={<PageSkeleton />}>
      {({ pages }) => {
        const contracts = pages.flatMap((page) => page.contracts);
        const rows = contracts
          .flatMap(statementRows)
          .filter(hasFigures)
          .toSorted((a, b) => a.contractLabel.localeCompare(b.contractLabel, "en"));
        return (
          <div className="mx-auto flex w-full max-w-[1200px] flex-col gap-6 p-4 md:p-6 print:p-0">
            <StatementTitle title="Statements of all contracts" statement={pages[0]!} />
            <StatementControls path={ALL_STATEMENTS} statement={pages[0]!} />
            {POINT_TYPES.map((type) => {
              const own = rows.filter(({ pointType }) => pointType === type);
              return (
                <Section key={type} title={TYPE_LABELS[type]}>
                  <DataTable
                    label={`Statements in ${unitOfType(type)}`}
                    columns={columnsOf(own)}
                    rows={query.hasNextPage ? own : [...own, ...sumRows(own)]}
                    keyOf={({ contractAddress }) => contractAddress}
                    // Where there is no space for an amount, it breaks before its decimals only.
                    className="card md:max-xl:[&_:is(td,th)]:px-1.5
                      md:max-xl:[&_td_span]:whitespace-normal md:max-xl:[&_th_span]:pr-0!"
                    empty="None of these contracts held or moved any in this month."
                  />
                </Section>
              );
            })}
            <MoreRows query={query} count={contracts.length} one="contract" many="contracts" />
            <StatementNote statement={pages.at(-1)!} />
          </div>
        );
      }}
    </Loaded>
  );
}

/** The file has the others too. */
const shownOf = (rows: StatementRow[]) => figuresOf(rows).filter(({ key }) => key !== "cancelled");
const hasFigures = (row: StatementRow) => shownOf([row]).some(({ key }) => row[key] !== "0");

const headingOf = ({ key, name, sign }: Figure) =>
  [key === "closing" ? "=" : sign, name].filter(Boolean).join(" ");

function columnsOf(rows: StatementRow[]): DataColumn<StatementRow>[] {
  return [
    {
      name: "Contract",
      isRowHeader: true,
      render: ({ contractAddress, contractLabel, month }) =>
        contractAddress ? (
          <TextLink href={statementPath(contractAddress, month)} title={contractAddress}>
            {contractLabel}
          </TextLink>
        ) : (
          <b className="font-semibold">{contractLabel}</b>
        ),
    },
    ...shownOf(rows).map((figure) => amountColumn(headingOf(figure), rows, (row) => row[figure.key])),
  ];
}
