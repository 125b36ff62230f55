"use client";
import { ArrowDown, ArrowUp, ArrowUpDown } from "lucide-react";
import Link from "next/link";
import type { ReactNode, MouseEvent as RowEvent } from "react";
import { useListParams } from "@/app/(console)/batches/use-batch-list";
import { Amount } from "@/app/ui/amount";
import { HashText } from "@/app/ui/hash-text";
import { IdText } from "@/app/ui/id-text";
import { Instant } from "@/app/ui/instant";
import type { ConsoleBatch } from "@/server/batches/list/console-schema";
import { LIST_SORTS, type ListSort } from "@/server/batches/list/filters";
import { classNames } from "../../../ui/class-names";
import { contractPath } from "../../contracts/paths";
import { defaultSort, type ListParams, showsFinalized, sortOf } from "../list-params";
import { batchKey, batchPath } from "../paths";
import { isOpen, TYPE_LABELS } from "../status";
import { Countdown, StatusBadge } from "../status-badge";
import { UnusualMark } from "../unusual-mark";

/** Opens the batch next to the list. With a modifier key it is a plain link to the batch page. */
export function BatchLink({ batch, className }: { batch: ConsoleBatch; className?: string }) {
  const { setParams } = useListParams();
  const open = (event: RowEvent) => {
    if (event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return;
    event.preventDefault();
    void setParams({ open: batchKey(batch) });
  };
  return (
    <Link
      href={batchPath(batch)}
      prefetch={false}
      onClick={open}
      data-batch-link
      title={batch.id}
      aria-label={batch.id}
      className={classNames(
        "block rounded-badge font-medium font-mono text-mono text-text outline-offset-1 hover:text-accent",
        className,
      )}
    >
      <IdText value={batch.id} />
    </Link>
  );
}

/** A row, with what its cells need from the whole list. */
export interface ListRow {
  batch: ConsoleBatch;
  asOf: string;
  /** Decimal places needed by the longest amount in the list. */
  fraction: number;
  /** Another contract of the list has the same label. */
  ambiguous: boolean;
  lookalike: boolean;
}

export interface Column {
  id: string;
  name: string;
  render: (row: ListRow) => ReactNode;
}

const column = (id: string, name: string, render: Column["render"]): Column => ({ id, name, render });

export const COLUMNS: readonly Column[] = [
  column("status", "Status", ({ batch, asOf }) => (
    <span className="flex items-center gap-1">
      <StatusBadge batch={batch} asOf={asOf} compact />
      <UnusualMark review={batch.review} compact />
    </span>
  )),
  column("id", "Batch", ({ batch }) => (
    <span className="flex items-center gap-1">
      <BatchLink batch={batch} className="min-w-0 truncate" />
      {batch.reverses && (
        <span title={`Reversal of ${batch.reverses}`} className="shrink-0 text-label text-muted">
          Reversal
        </span>
      )}
    </span>
  )),
  column("contract", "Contract", ({ batch, ambiguous, lookalike }) => (
    <span className="flex items-center gap-2">
      {batch.contractLabel && (
        <Link
          href={contractPath(batch.contractAddress)}
          prefetch={false}
          title={batch.contractAddress}
          className="min-w-0 truncate rounded-badge outline-offset-1 hover:text-accent"
        >
          {batch.contractLabel}
        </Link>
      )}
      {(ambiguous || !batch.contractLabel) && (
        <HashText
          value={batch.contractAddress}
          what="contract address"
          href={contractPath(batch.contractAddress)}
          lookalike={lookalike}
          copy={false}
          className="shrink-0 text-muted"
        />
      )}
    </span>
  )),
  column("type", "Type", ({ batch }) => <span title={batch.pointType}>{TYPE_LABELS[batch.pointType]}</span>),
  column("transfers", "Transfers", ({ batch }) => <Amount value={String(batch.transferCount)} />),
  column("points", "Amount", ({ batch, fraction }) => (
    <Amount value={batch.points} fraction={fraction} minus={Boolean(batch.reverses)} />
  )),
  column("created", "Created", ({ batch }) => (
    <Instant at={batch.createdAt} narrow className="tabular-nums" />
  )),
  column("due", "Due", ({ batch, asOf }) =>
    isOpen(batch) ? (
      <Countdown batch={batch} asOf={asOf} />
    ) : (
      <Instant at={batch.finalizeAt} narrow className="text-muted tabular-nums" />
    ),
  ),
  column(
    "finalized",
    "Finalized",
    ({ batch }) => batch.updatedAt && <Instant at={batch.updatedAt} narrow className="tabular-nums" />,
  ),
  column("submittedBy", "Submitted by", ({ batch }) => (
    <span title={batch.submittedBy} className="text-muted">
      {batch.submittedBy.replace(/^token:/, "")}
    </span>
  )),
];

/**
 * They fit into 1,024 px next to the folded sidebar. `id` gets what is left, and `points` grows with its longest amount. From
 * 1,180 px there is space for seconds. The widths depend on the list and not on the window, since the open batch covers a part
 * of it.
 */
export const WIDTHS: Record<string, string> = {
  status: "w-[142px] @[1180px]:w-[172px] @[1300px]:w-[204px]",
  contract: "w-[82px] @[1180px]:w-[124px] @[1300px]:w-[160px]",
  type: "w-[56px] @[1300px]:w-[62px]",
  transfers: "w-[72px] @[1180px]:w-[76px] @[1300px]:w-[104px]",
  created: "w-[128px] @[1180px]:w-[150px] @[1300px]:w-[160px]",
  due: "w-[128px] @[1180px]:w-[154px] @[1300px]:w-[160px]",
  finalized: "w-[128px] @[1180px]:w-[150px] @[1300px]:w-[160px]",
  submittedBy: "w-[74px] @[1180px]:w-[104px] @[1300px]:w-[152px]",
};

/** Whether a list has a column at all, hidden or not. */
export function hasColumn(params: ListParams, id: string): boolean {
  // Every row would have the same contract, which the filter names.
  if (id === "contract") return params.contract === null;
  if (!showsFinalized(params)) return id !== "finalized";
  // For finalized batches this time takes the place of the due time, unless the list is about due times.
  const isAboutDue = params.dueFrom || params.dueTo || LIST_SORTS[sortOf(params)].by === "finalizeAt";
  return id !== "due" || Boolean(isAboutDue);
}

/** These columns cannot be hidden. */
export const FIXED_COLUMNS = new Set(["status", "id"]);
export const RIGHT_ALIGNED = new Set(["transfers", "points"]);

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

interface RowCheckboxProps {
  label: string;
  checked: boolean | "some";
  onToggle: (range: boolean) => void;
  className?: string;
}

/** The label is larger than the box, so that it is easy to hit. */
export function RowCheckbox({ label, checked, onToggle, className }: RowCheckboxProps) {
  return (
    <label className={classNames("inline-flex size-7 cursor-pointer items-center justify-center", className)}>
      <input
        type="checkbox"
        aria-label={label}
        checked={checked === true}
        ref={(box) => {
          if (box) box.indeterminate = checked === "some";
        }}
        onChange={(event) => onToggle((event.nativeEvent as MouseEvent).shiftKey)}
        className="size-4 cursor-pointer accent-accent"
      />
    </label>
  );
}
