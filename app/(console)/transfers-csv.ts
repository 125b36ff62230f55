import { type CsvColumns, countedColumns, csvFields } from "@/app/data/csv";
import type { Correction } from "@/server/batches/change/describe-correction";
import type { ConsoleTransfer } from "@/server/batches/list/console-schema";
import type { ConsoleBatchDetail } from "@/server/batches/review/describe-batch";
import type { Transfer } from "@/server/ledger/packed-transfers";
import type { ExportedTransfers, PayoutTransfer } from "@/server/statements/export-transfers";
import { csvLine } from "@/terms/csv-text";

// New payout reads these files: their names leave no doubt which columns are the address and the amount.
// By batch_id it knows that the service wrote them, and reads each reference as it was (own-files.ts).

/** The transfers of one batch. Each row names it, so that files can be put together. */
export const columnsOfBatch = (batch: ConsoleBatchDetail): CsvColumns<ConsoleTransfer> => ({
  row: ({ position }) => String(position + 1),
  ...csvFields<ConsoleTransfer>("toAddress", "label", "points"),
  point_type: () => batch.pointType,
  batch_id: () => batch.id,
  contract_label: () => batch.contractLabel,
  contract_address: () => batch.contractAddress,
  reverses: () => batch.reverses,
  ...csvFields<ConsoleTransfer>("reference"),
  status: () => batch.status,
  ...countedColumns<ConsoleTransfer>(({ points }) => ({ ...batch, points })),
});

export type ContractTransfer<One = Transfer> = Omit<ExportedTransfers, "transfers"> & One & { row: string };

/** @param others before the last ones */
export const columnsOfContract = <Row extends ContractTransfer & { isTakenBack?: boolean }>(
  contractAddress: string,
  others: CsvColumns<Row> = {},
): CsvColumns<Row> => ({
  ...csvFields<ContractTransfer>("batchId"),
  contract_address: () => contractAddress,
  ...csvFields<ContractTransfer>("row", "toAddress", "pointType", "points", "status", "createdAt"),
  ...csvFields<ContractTransfer>("finalizeAt", "finalizedAt", "submittedBy", "cancelledAt", "cancelledBy"),
  ...csvFields<ContractTransfer>("cancelReason", "reverses", "reference"),
  ...others,
  ...countedColumns<Row>((row) => (row.isTakenBack ? { ...row, points: "0" } : row)),
});

/** What became of each transfer of a payout. */
export const outcomeColumns: CsvColumns<ContractTransfer<PayoutTransfer>> = {
  outcome: ({ status, takenBackBy, isTakenBack }) => {
    if (isTakenBack) return "taken back";
    if (takenBackBy !== null) return "being taken back";
    return { PENDING: "pending", FINALIZING: "pending", FINALIZED: "paid", CANCELLED: "not paid" }[status];
  },
  taken_back: ({ points, isTakenBack }) => (isTakenBack ? `-${points}` : null),
  taken_back_by: ({ takenBackBy }) => takenBackBy,
};

/** A page of rows for each batch. */
export async function* rowsOfTransfers<One>(batches: AsyncIterable<ExportedTransfers<One>>) {
  for await (const { transfers, ...batch } of batches)
    yield transfers.map(
      (transfer, index): ContractTransfer<One> => ({ row: String(index + 1), ...batch, ...transfer }),
    );
}

/** The rows of a cancelled batch, from which New payout begins. */
export const correctionCsv = ({ corrects, transfers }: Pick<Correction, "corrects" | "transfers">): string =>
  csvLine(["to_address", "points", "batch_id", "reference"]) +
  transfers
    .map(({ toAddress, points, reference = "" }) => csvLine([toAddress, points, corrects, reference]))
    .join("");
