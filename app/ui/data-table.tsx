import { clsx } from "clsx";
import type { ComponentProps, ReactNode, RefObject } from "react";
import { Amount, AmountHeading, fractionDigits } from "@/app/ui/amount";
import { ScrollRegion, Spacer } from "@/app/ui/scroll-region";
import { EmptyNote, Loaded } from "@/app/ui/states";
import { MoreRows, type MoreRowsProps } from "./more-rows";

export interface DataColumn<Row> {
  name: string;
  heading?: ReactNode;
  sorted?: "ascending" | "descending";
  right?: boolean;
  /** The cells name their row. */
  isRowHeader?: boolean;
  render: (row: Row) => ReactNode;
}

/** Makes a link cover its whole row. Other controls in the row need `relative z-10`. */
export const ROW_LINK = "after:absolute after:inset-0";

export interface DataTableProps<Row> {
  label: string;
  columns: readonly DataColumn<Row>[];
  rows: readonly Row[];
  keyOf: (row: Row) => string;
  /** The first column has a link with `ROW_LINK`. */
  linked?: boolean;
  className?: string;
  empty?: ReactNode;
  /** Which rows are drawn, of `useRowWindow`. They all have one height, so that none becomes a card. */
  drawn?: { scroller: RefObject<HTMLElement | null>; rows: number[]; before: number; after: number };
}

/** Amounts, with their decimal points below each other. A dash where there is none. */
export function amountColumn<Row>(
  name: string,
  rows: readonly Row[],
  amountOf: (row: Row) => string | null | undefined,
  lookOf?: (row: Row) => string | false | undefined,
): DataColumn<Row> {
  const fraction = fractionDigits(rows.map((row) => amountOf(row) ?? ""));
  return {
    name,
    heading: <AmountHeading name={name} fraction={fraction} />,
    right: true,
    render: (row) => {
      const value = amountOf(row);
      if (!value) return <span className="text-muted">–</span>;
      return <Amount value={value} fraction={fraction} className={lookOf?.(row) || undefined} />;
    },
  };
}

/** On a phone, each row becomes a card. */
export function DataTable<Row>(props: DataTableProps<Row>) {
  const { label, columns, rows, keyOf, linked, className = "card", empty, drawn } = props;
  if (empty && rows.length === 0) return <EmptyNote>{empty}</EmptyNote>;
  const shown = drawn ? drawn.rows.map((index) => rows[index]!) : rows;
  return (
    <ScrollRegion
      ref={drawn?.scroller}
      aria-label={label}
      className={clsx("overflow-x-auto -outline-offset-2", className)}
    >
      <table
        className={clsx(
          "w-full border-separate border-spacing-0 text-table tabular-nums",
          !drawn && "max-md:block",
        )}
      >
        <thead className={drawn ? "sticky top-0 z-10 bg-surface" : "max-md:sr-only"}>
          <tr>
            {columns.map(({ name, heading, sorted, right }) => (
              <th
                key={name}
                scope="col"
                aria-sort={sorted}
                className={clsx(
                  "h-9 whitespace-nowrap px-3 font-medium hint",
                  right ? "text-right" : "text-left",
                )}
              >
                {heading ?? name}
              </th>
            ))}
          </tr>
        </thead>
        <tbody className={drawn ? undefined : "max-md:block"}>
          {drawn && <Spacer height={drawn.before} />}
          {shown.map((row) => (
            <tr
              key={keyOf(row)}
              className={clsx("hover:bg-hover", !drawn && "table-card", linked && "relative")}
            >
              {columns.map((column, index) => (
                <Cell key={column.name} column={column} row={row} isFirst={index === 0} isCard={!drawn} />
              ))}
            </tr>
          ))}
          {drawn && <Spacer height={drawn.after} />}
        </tbody>
      </table>
    </ScrollRegion>
  );
}

interface CellProps<Row> {
  column: DataColumn<Row>;
  row: Row;
  isFirst: boolean;
  isCard: boolean;
}

function Cell<Row>({ column, row, isFirst, isCard }: CellProps<Row>) {
  if (!isCard)
    return (
      <td className={clsx("h-9 border-line border-t px-3", column.right && "text-right")}>
        {column.render(row)}
      </td>
    );
  const Tag = column.isRowHeader ? "th" : "td";
  return (
    <Tag
      scope={column.isRowHeader ? "row" : undefined}
      className={clsx(
        column.isRowHeader && "text-left font-normal",
        "row-cell",
        column.right && "md:text-right",
      )}
    >
      {!isFirst && (
        <span aria-hidden className="shrink-0 hint md:hidden">
          {column.name}
        </span>
      )}
      {column.right ? (
        // Decimal points are not aligned in a card.
        <span className="card-amount">{column.render(row)}</span>
      ) : (
        column.render(row)
      )}
    </Tag>
  );
}

interface PagedTableProps<Row> extends DataTableProps<Row>, Omit<MoreRowsProps, "count"> {
  query: MoreRowsProps["query"] & ComponentProps<typeof Loaded>["query"];
}

/** What is said of the whole is said once all pages are read. */
const NOT_WHOLE = "Nothing found so far. Load more to search the rest.";

export const PagedTable = <Row,>({ query, one, many, ...table }: PagedTableProps<Row>) => (
  <Loaded query={query}>
    {() => (
      <>
        <DataTable {...table} empty={query.hasNextPage ? NOT_WHOLE : table.empty} />
        {(table.rows.length > 0 || query.hasNextPage) && (
          <MoreRows query={query} count={table.rows.length} one={one} many={many} />
        )}
      </>
    )}
  </Loaded>
);
