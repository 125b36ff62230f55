import type { BulkItem } from "@/server/batches/bulk/bulk-schema";
import { csvLine } from "../../../export/to-csv";

const HEADER = [
  "batch_id",
  "contract_label",
  "contract_address",
  "point_type",
  "transfers",
  "points",
  "result",
  "result_at",
  "reason",
  "reason_by",
  "reason_since",
];

export const itemsHeader = () => csvLine(HEADER);

/** A batch that the job has not come to has the result `OPEN`. */
export function csvOfItems(items: readonly BulkItem[]): string {
  return items
    .map((item) =>
      csvLine([
        item.batchId,
        item.contractLabel,
        item.contractAddress,
        item.pointType,
        String(item.transferCount),
        item.points,
        item.result ?? "OPEN",
        item.resultAt ?? "",
        item.why ?? "",
        item.whyBy ?? "",
        item.whyAt ?? "",
      ]),
    )
    .join("");
}
