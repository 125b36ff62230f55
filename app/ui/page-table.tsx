"use client";
import type { ReactNode } from "react";
import { classNames } from "@/app/ui/class-names";
import { useMediaQuery } from "./hooks";
import { ScrollRegion } from "./scroll-region";

export interface PageColumn<Row> {
  name: string;
  /** Shows the name to screen readers only. */
  isNameHidden?: boolean;
  /** The cells name their row. */
  isRowHeader?: boolean;
  width?: string;
  className?: string;
  render: (row: Row) => ReactNode;
}

interface PageTableProps<Row> {
  label: string;
  columns: readonly PageColumn<Row>[];
  rows: readonly Row[];
  keyOf: (row: Row) => string;
  /** For the table, and for each of its rows. */
  className?: string;
  rowClassName?: string;
  /** The same row on a phone. */
  card: (row: Row) => ReactNode;
  end: ReactNode;
}

/** A table that fills the page below a sticky head. On a phone, its rows are a list of cards. */
export function PageTable<Row>(props: PageTableProps<Row>) {
  const { label, columns, rows, keyOf, className, rowClassName, card, end } = props;
  const isPhone = useMediaQuery("(max-width: 767px)");
  return (
    <ScrollRegion aria-label={label} className="min-h-0 flex-1 overflow-auto -outline-offset-2">
      {isPhone ? (
        <ul>
          {rows.map((row) => (
            <li key={keyOf(row)} className="border-line border-b bg-surface">
              {card(row)}
            </li>
          ))}
        </ul>
      ) : (
        <table className={classNames("w-full border-separate border-spacing-0 text-table", className)}>
          <thead className="sticky top-0 z-10">
            <tr>
              {columns.map(({ name, isNameHidden, width }) => (
                <th
                  key={name}
                  scope="col"
                  className={classNames(
                    "h-9 border-line border-b bg-surface px-2.5 text-left font-medium text-label text-muted first:pl-6 last:pr-6",
                    width,
                  )}
                >
                  {isNameHidden ? <span className="sr-only">{name}</span> : name}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {rows.map((row) => (
              <tr key={keyOf(row)} className={classNames("bg-surface hover:bg-hover", rowClassName)}>
                {columns.map(({ name, isRowHeader, className: cell, render }) => {
                  const Cell = isRowHeader ? "th" : "td";
                  return (
                    <Cell
                      key={name}
                      scope={isRowHeader ? "row" : undefined}
                      className={classNames("border-line border-b px-2.5 first:pl-6 last:pr-6", cell)}
                    >
                      {render(row)}
                    </Cell>
                  );
                })}
              </tr>
            ))}
          </tbody>
        </table>
      )}
      {end}
    </ScrollRegion>
  );
}
