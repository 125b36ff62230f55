"use client";
import type { ReactNode } from "react";
import type { AuditEntry } from "@/server/audit/console-schema";
import { CopyButton } from "../../../ui/copy-button";
import { Instant } from "../../../ui/instant";
import { ScrollRegion } from "../../../ui/scroll-region";
import { actorName, sentenceOf } from "./action-words";
import { AuditTarget } from "./audit-target";

interface AuditRowsProps {
  entries: AuditEntry[];
  end: ReactNode;
}

const COLUMNS = [
  ["Time", "w-44"],
  ["Actor", "w-48"],
  ["Action", ""],
  ["Target", "w-52"],
  ["Request ID", "w-24"],
] as const;
const CELL = "border-line border-b px-2.5 py-2 align-top first:pl-6 last:pr-6";

export function AuditTable({ entries, end }: AuditRowsProps) {
  return (
    <ScrollRegion aria-label="Audit log" className="min-h-0 flex-1 overflow-auto -outline-offset-2">
      <table
        aria-rowcount={-1}
        className="w-full min-w-[900px] table-fixed border-separate border-spacing-0 text-table"
      >
        <thead className="sticky top-0 z-10">
          <tr>
            {COLUMNS.map(([name, width]) => (
              <th
                key={name}
                scope="col"
                className={`${width} h-9 border-line border-b bg-surface px-2.5 text-left font-medium text-label text-muted first:pl-6 last:pr-6`}
              >
                {name}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {entries.map((entry) => (
            <tr key={entry.id} className="bg-surface hover:bg-hover">
              <td className={`${CELL} tabular-nums`}>
                <Instant at={entry.at} />
              </td>
              <td className={`${CELL} truncate`} title={entry.actor}>
                {actorName(entry.actor)}
              </td>
              <td className={`${CELL} wrap-anywhere`}>
                {sentenceOf(entry)} <Code>{entry.action}</Code>
              </td>
              <td className={`${CELL} truncate`}>
                <AuditTarget target={entry.target} className="block truncate" />
              </td>
              <td className={`${CELL} py-0!`}>
                <RequestId id={entry.requestId} />
              </td>
            </tr>
          ))}
        </tbody>
      </table>
      {end}
    </ScrollRegion>
  );
}

/** The stored action code, to search for in the CSV export. */
function Code({ children }: { children: string }) {
  return <code className="whitespace-nowrap font-mono text-label text-muted">{children}</code>;
}

const ID_CHARS = 6;

function RequestId({ id }: { id: string | null }) {
  if (!id) return null;
  return (
    <span className="flex h-9 items-center gap-1 font-mono text-label text-muted" title={id}>
      {id.slice(0, ID_CHARS)}
      <CopyButton value={id} what="request ID" />
    </span>
  );
}

export function AuditCards({ entries, end }: AuditRowsProps) {
  return (
    <ScrollRegion aria-label="Audit log" className="min-h-0 flex-1 overflow-auto -outline-offset-2">
      <ul>
        {entries.map((entry) => (
          <li key={entry.id} className="flex flex-col gap-1 border-line border-b bg-surface px-4 py-3">
            <p className="wrap-anywhere">
              <span className="font-medium">{actorName(entry.actor)}</span> {sentenceOf(entry)}{" "}
              <Code>{entry.action}</Code>
            </p>
            <p className="flex min-w-0 items-center justify-between gap-3 text-label text-muted">
              <AuditTarget target={entry.target} className="min-w-0 truncate" />
              <span className="shrink-0 tabular-nums">
                <Instant at={entry.at} />
              </span>
            </p>
          </li>
        ))}
      </ul>
      {end}
    </ScrollRegion>
  );
}
