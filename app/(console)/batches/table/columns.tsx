"use client";
import type { ReactNode } from "react";
import type { ConsoleBatch } from "@/server/batches/list/console-schema";
import { Amount } from "../../../ui/amount";
import { HashText } from "../../../ui/hash-text";
import { Instant } from "../../../ui/instant";
import { contractPath } from "../../contracts/paths";
import { isOpen, TYPE_LABELS } from "../status";
import { Countdown, StatusBadge } from "../status-badge";
import { BatchLink } from "./batch-link";

/** A row, with what its cells need from the whole list. */
export interface ListRow {
  batch: ConsoleBatch;
  asOf: string;
  /** Decimal places needed by the longest amount in the list. */
  fraction: number;
  lookalike: boolean;
}

export interface Column {
  id: string;
  name: string;
  render: (row: ListRow) => ReactNode;
}

const column = (id: string, name: string, render: Column["render"]): Column => ({ id, name, render });

export const COLUMNS: readonly Column[] = [
  column("status", "Status", ({ batch, asOf }) => <StatusBadge batch={batch} asOf={asOf} compact />),
  column("id", "Batch", ({ batch }) => <BatchLink batch={batch} />),
  column("contract", "Contract", ({ batch, lookalike }) => (
    <span className="flex items-center gap-2">
      <span title={batch.contractLabel} className="min-w-0 truncate">
        {batch.contractLabel}
      </span>
      <HashText
        value={batch.contractAddress}
        what="contract address"
        href={contractPath(batch.contractAddress)}
        lookalike={lookalike}
        copy={false}
        className="shrink-0 text-muted"
      />
    </span>
  )),
  column("type", "Type", ({ batch }) => <span title={batch.pointType}>{TYPE_LABELS[batch.pointType]}</span>),
  column("transfers", "Transfers", ({ batch }) => <Amount value={String(batch.transferCount)} />),
  column("points", "Amount", ({ batch, fraction }) => <Amount value={batch.points} fraction={fraction} />),
  column("created", "Created", ({ batch }) => <Instant at={batch.createdAt} className="tabular-nums" />),
  column("due", "Due", ({ batch, asOf }) =>
    isOpen(batch) ? (
      <Countdown batch={batch} asOf={asOf} />
    ) : (
      <Instant at={batch.finalizeAt} className="text-muted tabular-nums" />
    ),
  ),
  column("submittedBy", "Submitted by", ({ batch }) => (
    <span title={batch.submittedBy} className="text-muted">
      {batch.submittedBy.replace(/^token:/, "")}
    </span>
  )),
];

/** In pixels; `points` grows with its longest amount. */
export const WIDTHS: Record<string, number> = {
  status: 125,
  id: 156,
  contract: 232,
  type: 58,
  transfers: 73,
  points: 104,
  created: 152,
  due: 152,
  submittedBy: 139,
};

/** These columns cannot be hidden. */
export const FIXED_COLUMNS = new Set(["status", "id"]);
export const RIGHT_ALIGNED = new Set(["transfers", "points"]);
