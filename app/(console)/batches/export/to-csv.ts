import type { ExportedBatch } from "@/server/batches/list/console-schema";

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
  "finalized_at",
  "cancelled_at",
  "cancelled_by",
  "cancel_reason",
  "held_at",
  "held_by",
  "hold_reason",
  "awaits_approval",
  "approved_at",
  "approved_by",
  "reverses",
];

/**
 * Where a spreadsheet would begin a formula, full-width signs included: at the start of the cell, and after a semicolon, tab
 * or line break, at which some locales and import settings split, inside quotes too.
 */
const FORMULA_START = /(?:^(?=[\t\r])|(?:^|(?<=[;\t\r\n]))(?=["\s]*[=+\-@＝＋－＠]))/g;

/** RFC 4180. An apostrophe keeps spreadsheets from running a cell, or a part of it, as a formula. */
export function csvCell(value: string): string {
  const guarded = value.replaceAll(FORMULA_START, "'");
  return /[",\r\n]/.test(guarded) ? `"${guarded.replaceAll('"', '""')}"` : guarded;
}

export const csvLine = (cells: readonly string[]) => `${cells.map(csvCell).join(",")}\r\n`;

export const csvHeader = () => csvLine(HEADER);

export function csvOfBatches(batches: readonly ExportedBatch[]): string {
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
        batch.finalizedAt ?? "",
        batch.cancelledAt ?? "",
        batch.cancelledBy ?? "",
        batch.cancelReason ?? "",
        batch.heldAt ?? "",
        batch.heldBy ?? "",
        batch.holdReason ?? "",
        batch.awaitsApproval ? "yes" : "",
        batch.approvedAt ?? "",
        batch.approvedBy ?? "",
        batch.reverses ?? "",
      ]),
    )
    .join("");
}
