"use client";
import { useInfiniteQuery } from "@tanstack/react-query";
import { TYPE_LABELS } from "@/app/(console)/batches/status";
import { ALL_STATEMENTS, statementPath } from "@/app/(console)/paths";
import { problemOf } from "@/app/data/problem";
import { usePages, useTRPC } from "@/app/data/trpc";
import { TextLink } from "@/app/ui/button";
import { amountColumn, type DataColumn, PagedTable } from "@/app/ui/data-table";
import { Loaded, PageSkeleton } from "@/app/ui/states";
import { StatementControls } from "./controls";
import { FIGURES, type Figure, type StatementRow, statementRows, sumRows } from "./statement-csv";
import { NoStatement, StatementNote, StatementTitle } from "./statement-view";

export function AllStatements({ month }: { month: string }) {
  const query = useInfiniteQuery(usePages(useTRPC().console.statements.all, { month }));
  const problem = query.error && problemOf(query.error);
  if (problem?.code === "validation_failed")
    return <NoStatement detail={problem.detail} path={ALL_STATEMENTS} />;
  return (
    <Loaded query={query} skeleton={<PageSkeleton />}>
      {({ pages }) => {
        const rows = pages
          .flatMap(({ contracts }) => contracts.flatMap(statementRows))
          .filter(hasFigures)
          .toSorted((a, b) => a.contractLabel.localeCompare(b.contractLabel, "en"));
        return (
          <div className="mx-auto flex w-full max-w-[1200px] flex-col gap-6 p-4 md:p-6 print:p-0">
            <StatementTitle title="Statements of all contracts" statement={pages[0]!} />
            <StatementControls path={ALL_STATEMENTS} statement={pages[0]!} />
            <div className="flex flex-col gap-2">
              <PagedTable
                label="Statements"
                columns={columnsOf(rows)}
                rows={query.hasNextPage ? rows : [...rows, ...sumRows(rows)]}
                keyOf={({ contractAddress, pointType }) => `${contractAddress} ${pointType}`}
                query={query}
                one="row"
                many="rows"
                className="card md:max-xl:wrap-anywhere md:max-xl:[&_:is(td,th)]:px-1.5
                  md:max-xl:[&_td_span]:whitespace-normal md:max-xl:[&_th_span]:pr-0!"
                empty="No contract held or moved points in this month."
              />
              <StatementNote statement={pages.at(-1)!} />
            </div>
          </div>
        );
      }}
    </Loaded>
  );
}

/** The file has the others too. */
const SHOWN = FIGURES.filter(({ key }) => key !== "cancelled");
const hasFigures = (row: StatementRow) => SHOWN.some(({ key }) => (row[key] ?? "0") !== "0");

const headingOf = ({ key, name, sign }: Figure) =>
  [key === "closing" ? "=" : sign, name].filter(Boolean).join(" ");

function columnsOf(rows: StatementRow[]): DataColumn<StatementRow>[] {
  // Points are rarely taken or given back, and the figure is then absent.
  const shown = SHOWN.filter(({ key }) => rows.some((row) => row[key]));
  return [
    {
      name: "Contract",
      isRowHeader: true,
      render: ({ contractAddress, contractLabel, month, pointType }) => (
        <span>
          {contractAddress ? (
            <TextLink href={statementPath(contractAddress, month)} title={contractAddress}>
              {contractLabel}
            </TextLink>
          ) : (
            <b className="font-semibold">{contractLabel}</b>
          )}{" "}
          <span className="hint">{TYPE_LABELS[pointType]}</span>
        </span>
      ),
    },
    ...shown.map((figure) => amountColumn(headingOf(figure), rows, (row) => row[figure.key])),
  ];
}
