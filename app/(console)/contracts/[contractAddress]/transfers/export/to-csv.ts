import type { ExportedTransfers } from "@/server/statements/export-transfers";
import { csvLine } from "../../../../batches/export/to-csv";

const HEADER = [
  "batch_id",
  "position",
  "to_address",
  "point_type",
  "points",
  "status",
  "created_at",
  "finalize_at",
  "finalized_at",
  "submitted_by",
  "cancelled_at",
  "cancelled_by",
  "cancel_reason",
  "reverses",
];

export const transfersCsvHeader = () => csvLine(HEADER);

/** One line per transfer, positions from 1. */
export function csvOfTransfers(batch: ExportedTransfers): string {
  return batch.transfers
    .map(({ toAddress, points }, place) =>
      csvLine([
        batch.batchId,
        String(place + 1),
        toAddress,
        batch.pointType,
        points,
        batch.status,
        batch.createdAt,
        batch.finalizeAt,
        batch.finalizedAt ?? "",
        batch.submittedBy,
        batch.cancelledAt ?? "",
        batch.cancelledBy ?? "",
        batch.cancelReason ?? "",
        batch.reverses ?? "",
      ]),
    )
    .join("");
}
