"use client";
import { columnVisibilityFeature, createColumnHelper, tableFeatures } from "@tanstack/react-table";
import type { ConsoleBatch } from "@/server/batches/console-schema";
import { Amount } from "../../../ui/amount";
import { HashText } from "../../../ui/hash-text";
import { Instant } from "../../../ui/instant";
import { isOpen, TYPE_WORDS } from "../status";
import { Countdown, StatusBadge } from "../status-badge";
import { BatchLink } from "./batch-link";

export const features = tableFeatures({ columnVisibilityFeature });

/** A row and what its cells must know of the list around it. */
export interface ListRow {
  batch: ConsoleBatch;
  asOf: string;
  /** Digits after the point that the amounts of the list need. */
  fraction: number;
  lookalike: boolean;
}

const helper = createColumnHelper<typeof features, ListRow>();
const cell = (id: string, header: string, render: (row: ListRow) => React.ReactNode) =>
  helper.display({ id, header, cell: (info) => render(info.row.original) });

export const columns = helper.columns([
  cell("status", "Status", ({ batch, asOf }) => <StatusBadge batch={batch} asOf={asOf} />),
  cell("id", "Batch", ({ batch }) => <BatchLink batch={batch} />),
  cell("contract", "Contract", ({ batch, lookalike }) => (
    <span className="flex items-center gap-2">
      <span title={batch.contractLabel} className="min-w-0 truncate">
        {batch.contractLabel}
      </span>
      <HashText
        value={batch.contractAddress}
        what="contract address"
        lookalike={lookalike}
        copy={false}
        className="shrink-0 text-muted"
      />
    </span>
  )),
  cell("type", "Type", ({ batch }) => <span title={batch.pointType}>{TYPE_WORDS[batch.pointType]}</span>),
  cell("transfers", "Transfers", ({ batch }) => <Amount value={String(batch.transferCount)} />),
  cell("points", "Points", ({ batch, fraction }) => <Amount value={batch.points} fraction={fraction} />),
  cell("created", "Created", ({ batch }) => <Instant at={batch.createdAt} className="tabular-nums" />),
  cell("due", "Due", ({ batch, asOf }) =>
    isOpen(batch) ? (
      <Countdown batch={batch} asOf={asOf} />
    ) : (
      <Instant at={batch.finalizeAt} className="text-muted tabular-nums" />
    ),
  ),
  cell("submittedBy", "Submitted by", ({ batch }) => (
    <span title={batch.submittedBy} className="text-muted">
      {batch.submittedBy}
    </span>
  )),
]);

/** Width of each column in pixels; `points` grows with its longest amount. */
export const WIDTHS: Record<string, number> = {
  status: 118,
  id: 190,
  contract: 216,
  type: 64,
  transfers: 84,
  points: 116,
  created: 152,
  due: 152,
  submittedBy: 108,
};

export const RIGHT_ALIGNED = new Set(["transfers", "points"]);
/** Columns that may be hidden, with their names. */
export const OPTIONAL_COLUMNS = [
  ["contract", "Contract"],
  ["type", "Type"],
  ["transfers", "Transfers"],
  ["points", "Points"],
  ["created", "Created"],
  ["due", "Due"],
  ["submittedBy", "Submitted by"],
] as const;
