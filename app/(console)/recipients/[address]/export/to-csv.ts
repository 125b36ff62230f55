import type { ExportedTransfer } from "@/server/recipients/export-received";
import { csvLine } from "../../../batches/export/to-csv";

const HEADER = [
  "to_address",
  "created_at",
  "status",
  "contract_label",
  "contract_address",
  "batch_id",
  "point_type",
  "points",
  "points_balance",
  "gold_balance",
  "finalize_at",
  "held_at",
  "held_by",
  "hold_reason",
  "awaits_approval",
  "finalized_at",
  "cancelled_at",
  "cancelled_by",
  "cancel_reason",
  "reverses",
  "reversed_by",
];

export const receivedCsvHeader = () => csvLine(HEADER);

export function csvOfReceived(address: string, transfers: readonly ExportedTransfer[]): string {
  return transfers
    .map((transfer) =>
      csvLine([
        address,
        transfer.createdAt,
        transfer.status,
        transfer.contractLabel,
        transfer.contractAddress,
        transfer.batchId,
        transfer.pointType,
        transfer.points,
        transfer.running.PHASE2_POINTS,
        transfer.running.PHASE2_GOLD,
        transfer.finalizeAt,
        transfer.heldAt ?? "",
        transfer.heldBy ?? "",
        transfer.holdReason ?? "",
        transfer.awaitsApproval ? "yes" : "",
        transfer.creditedAt ?? "",
        transfer.cancelledAt ?? "",
        transfer.cancelledBy ?? "",
        transfer.cancelReason ?? "",
        transfer.reverses ?? "",
        transfer.reversedBy ?? "",
      ]),
    )
    .join("");
}
