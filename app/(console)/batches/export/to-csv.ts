import type { ConsoleBatch } from "@/server/batches/list/console-schema";

const HEADER = [
  "status",
  "batch_id",
  "contract_label",
  "contract_address",
  "point_type",
  "transfers",
  "points",
  "created_at",
  "finalize_at",
  "updated_at",
  "submitted_by",
];

/** RFC 4180. The apostrophe keeps spreadsheets from running the cell as a formula. */
export function csvCell(value: string): string {
  const guarded = /^[=+\-@\t\r]/.test(value) ? `'${value}` : value;
  return /[",\r\n]/.test(guarded) ? `"${guarded.replaceAll('"', '""')}"` : guarded;
}

export const csvLine = (cells: readonly string[]) => `${cells.map(csvCell).join(",")}\r\n`;

export const csvHeader = () => csvLine(HEADER);

export function csvOfBatches(batches: readonly ConsoleBatch[]): string {
  return batches
    .map((batch) =>
      csvLine([
        batch.status,
        batch.id,
        batch.contractLabel,
        batch.contractAddress,
        batch.pointType,
        String(batch.transferCount),
        batch.points,
        batch.createdAt,
        batch.finalizeAt,
        batch.updatedAt ?? "",
        batch.submittedBy,
      ]),
    )
    .join("");
}
