"use client";
import { ArrowDown, ArrowUp, ArrowUpDown } from "lucide-react";
import { defaultSort, type ListParams, sortOf } from "../list-params";
import { useListParams } from "../use-list-params";

const ORDER_LABELS = { ASC: "Oldest first", DESC: "Newest first", DUE: "Longest overdue first" } as const;

/** Due times can be sorted in the overdue list only, and in one direction. */
export const isSortable = (params: ListParams, column: string): boolean =>
  column === "created" || (column === "due" && defaultSort(params) === "DUE");

export function sortedBy(params: ListParams, column: string): "ascending" | "descending" | undefined {
  const sort = sortOf(params);
  if (column !== (sort === "DUE" ? "due" : "created")) return undefined;
  return sort === "DESC" ? "descending" : "ascending";
}

export function SortHeader({ column, name }: { column: string; name: string }) {
  const { params, setParams } = useListParams();
  const sort = sortOf(params);
  const direction = sortedBy(params, column);
  const Icon = { ascending: ArrowUp, descending: ArrowDown, none: ArrowUpDown }[direction ?? "none"];
  const next = column === "due" ? "DUE" : sort === "DESC" ? "ASC" : "DESC";
  return (
    <button
      type="button"
      onClick={() => void setParams({ sort: next === defaultSort(params) ? null : next })}
      title={ORDER_LABELS[direction ? sort : next]}
      className="inline-flex items-center gap-1 rounded-badge hover:text-text"
    >
      {name}
      <Icon aria-hidden size={12} />
    </button>
  );
}
