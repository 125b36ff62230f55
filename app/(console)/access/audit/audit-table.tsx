"use client";
import Link from "next/link";
import type { ReactNode } from "react";
import type { AuditEntry } from "@/server/audit/console-schema";
import { classNames } from "../../../ui/class-names";
import { CopyButton } from "../../../ui/copy-button";
import { shortenHash } from "../../../ui/hash-text";
import { IdText } from "../../../ui/id-text";
import { Instant } from "../../../ui/instant";
import { type PageColumn, PageTable } from "../../../ui/page-table";
import { batchPath, jobPath } from "../../batches/paths";
import { actorName, sentenceOf } from "./action-text";

const CELL = "py-2 align-top";

const COLUMNS: readonly PageColumn<AuditEntry>[] = [
  { name: "Time", width: "w-44", className: `${CELL} tabular-nums`, render: ({ at }) => <Instant at={at} /> },
  {
    name: "Actor",
    width: "w-48",
    className: CELL,
    render: ({ actor }) => (
      <span className="block truncate" title={actor}>
        {actorName(actor)}
      </span>
    ),
  },
  {
    name: "Action",
    className: `${CELL} wrap-anywhere`,
    render: sentenceOf,
  },
  {
    name: "Target",
    width: "w-52",
    className: `${CELL} truncate`,
    render: ({ target }) => <AuditTarget target={target} className="block truncate" />,
  },
  { name: "Request ID", width: "w-24", className: "align-top", render: (entry) => <RequestId {...entry} /> },
];

export function AuditTable({ entries, end }: { entries: AuditEntry[]; end: ReactNode }) {
  return (
    <PageTable
      label="Audit log"
      columns={COLUMNS}
      rows={entries}
      keyOf={({ id }) => id}
      className="min-w-[900px] table-fixed"
      card={(entry) => (
        <div className="flex flex-col gap-1 px-4 py-3">
          <p className="wrap-anywhere">
            <span className="font-medium">{actorName(entry.actor)}</span> {sentenceOf(entry)}
          </p>
          <p className="flex min-w-0 items-center justify-between gap-3 text-label text-muted">
            <AuditTarget target={entry.target} className="min-w-0 truncate" />
            <Instant at={entry.at} className="shrink-0 tabular-nums" />
          </p>
        </div>
      )}
      end={end}
    />
  );
}

const ID_CHARS = 6;

function RequestId({ requestId }: AuditEntry) {
  if (!requestId) return null;
  return (
    <span className="flex h-9 items-center gap-1 font-mono text-label text-muted" title={requestId}>
      {requestId.slice(0, ID_CHARS)}
      <CopyButton value={requestId} what="request ID" />
    </span>
  );
}

const BATCH = /^batch:(0x[0-9a-fA-F]{40})\/(.+)$/;
const ADDRESS = /^(contract|recipient):(0x[0-9a-fA-F]{40})$/;
const BULK_JOB = /^bulk:([0-9a-f-]{36})$/;

/** A batch, a contract, a recipient or a bulk job links to its page. */
function AuditTarget({ target, className }: { target: string; className?: string }) {
  const [, contractAddress, batchId] = BATCH.exec(target) ?? [];
  const [, kind, address] = ADDRESS.exec(target) ?? [];
  const [, jobId] = BULK_JOB.exec(target) ?? [];
  const link = (href: string, look?: string) => ({
    href,
    prefetch: false,
    title: target,
    className: classNames("rounded-badge hover:text-accent", look, className),
  });
  const mono = "font-mono text-mono";
  if (contractAddress && batchId) {
    return (
      <Link {...link(batchPath({ contractAddress, id: batchId }), mono)} aria-label={batchId}>
        <IdText value={batchId} />
      </Link>
    );
  }
  if (address) return <Link {...link(`/${kind}s/${address}`, mono)}>{shortenHash(address)}</Link>;
  if (jobId) return <Link {...link(jobPath(jobId))}>Bulk job</Link>;
  return (
    <span title={target} className={className}>
      {target.replace(/^staff:/, "")}
    </span>
  );
}
