"use client";
import { ArrowDown, ArrowUp, ArrowUpDown } from "lucide-react";
import { LIST_SORTS, type ListSort } from "@/server/batches/list/filters";
import { classNames } from "../../../ui/class-names";
import { defaultSort, type ListParams, sortOf } from "../list-params";
import { useListParams } from "../use-list-params";

interface ColumnSort {
  /** What a first click does. */
  first: ListSort;
  other: ListSort;
}

const COLUMN_SORTS: Record<string, ColumnSort> = {
  created: { first: "DESC", other: "ASC" },
  due: { first: "DUE", other: "DUE_DESC" },
  finalized: { first: "FINALIZED_DESC", other: "FINALIZED" },
  points: { first: "AMOUNT_DESC", other: "AMOUNT" },
  transfers: { first: "TRANSFERS_DESC", other: "TRANSFERS" },
};

const ORDER_LABELS: Record<ListSort, string> = {
  ASC: "Oldest first",
  DESC: "Newest first",
  DUE: "Earliest due first",
  DUE_DESC: "Latest due first",
  FINALIZED: "Finalized earliest first",
  FINALIZED_DESC: "Finalized latest first",
  AMOUNT: "Smallest amount first",
  AMOUNT_DESC: "Largest amount first",
  TRANSFERS: "Fewest transfers first",
  TRANSFERS_DESC: "Most transfers first",
};

export const isSortable = (column: string): boolean => column in COLUMN_SORTS;

export function sortedBy(params: ListParams, column: string): "ascending" | "descending" | undefined {
  const sort = sortOf(params);
  const { first, other } = COLUMN_SORTS[column] ?? {};
  if (sort !== first && sort !== other) return undefined;
  return LIST_SORTS[sort].descending ? "descending" : "ascending";
}

export function SortHeader({ column, name }: { column: string; name: string }) {
  const { params, setParams } = useListParams();
  const sort = sortOf(params);
  const direction = sortedBy(params, column);
  const Icon = { ascending: ArrowUp, descending: ArrowDown, none: ArrowUpDown }[direction ?? "none"];
  const { first, other } = COLUMN_SORTS[column]!;
  const next = sort === first ? other : first;
  return (
    <button
      type="button"
      onClick={() => void setParams({ sort: next === defaultSort(params) ? null : next })}
      title={ORDER_LABELS[direction ? sort : next]}
      className="inline-flex max-w-full items-center gap-1 rounded-badge hover:text-text"
    >
      <span className="truncate">{name}</span>
      <Icon aria-hidden size={12} className={classNames("shrink-0", !direction && "@max-[1300px]:hidden")} />
    </button>
  );
}
