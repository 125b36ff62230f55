import type { AuditEntry } from "@/server/audit/console-schema";
import { csvLine } from "../../../batches/export/to-csv";
import { sentenceOf } from "../action-words";

const HEADER = ["at", "actor", "action", "what", "target", "detail", "request_id"];

export const auditCsvHeader = () => csvLine(HEADER);

export function csvOfAudit(entries: readonly AuditEntry[]): string {
  return entries
    .map((entry) =>
      csvLine([
        entry.at,
        entry.actor,
        entry.action,
        sentenceOf(entry),
        entry.target,
        JSON.stringify(entry.detail),
        entry.requestId ?? "",
      ]),
    )
    .join("");
}
