"use client";
import type { ReactNode } from "react";
import type { ConsoleBatch } from "@/server/batches/list/console-schema";
import { LIST_SORTS } from "@/server/batches/list/filters";
import { Amount } from "../../../ui/amount";
import { classNames } from "../../../ui/class-names";
import { HashText } from "../../../ui/hash-text";
import { Instant } from "../../../ui/instant";
import { contractPath } from "../../contracts/paths";
import { type ListParams, showsFinalized, sortOf } from "../list-params";
import { isOpen, TYPE_LABELS } from "../status";
import { Countdown, StatusBadge } from "../status-badge";
import { UnusualMark } from "../unusual-mark";
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
  column("id", "Batch", ({ batch }) => (
    <span className="flex items-center gap-1">
      <BatchLink batch={batch} className="min-w-0 truncate" />
      {batch.reverses && (
        <span title={`Reversal of ${batch.reverses}`} className="shrink-0 text-label text-muted">
          Reversal
        </span>
      )}
      <UnusualMark review={batch.review} compact />
    </span>
  )),
  column("contract", "Contract", ({ batch, lookalike }) => (
    <span className="flex items-center gap-2">
      <span title={`${batch.contractLabel} ${batch.contractAddress}`} className="min-w-0 truncate">
        {batch.contractLabel}
      </span>
      <HashText
        value={batch.contractAddress}
        what="contract address"
        href={contractPath(batch.contractAddress)}
        lookalike={lookalike}
        copy={false}
        className={classNames(
          "shrink-0 text-muted",
          batch.contractLabel && !lookalike && "@max-[1180px]:hidden",
        )}
      />
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
 * They fit into 1,024 px next to the folded sidebar, with nine letters of a contract's label. `contract` gets what is left,
 * and `points` grows with its longest amount. From 1,180 px there is space for seconds and for addresses. The widths depend
 * on the list and not on the window, since the open batch covers a part of it.
 */
export const WIDTHS: Record<string, string> = {
  status: "w-[108px] @[1300px]:w-[125px]",
  id: "w-[128px] @[1300px]:w-[156px]",
  type: "w-[54px] @[1300px]:w-[62px]",
  transfers: "w-[76px] @[1300px]:w-[104px]",
  created: "w-[136px] @[1180px]:w-[160px]",
  due: "w-[136px] @[1180px]:w-[160px]",
  finalized: "w-[136px] @[1180px]:w-[160px]",
  submittedBy: "w-[88px] @[1180px]:w-[116px] @[1300px]:w-[152px]",
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
