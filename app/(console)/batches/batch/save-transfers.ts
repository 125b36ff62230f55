import { columnsOfBatch } from "@/app/(console)/transfers-csv";
import { csvPages, saveCsv } from "@/app/data/csv";
import type { ConsoleTransfer } from "@/server/batches/list/console-schema";
import type { ConsoleBatchDetail } from "@/server/batches/review/describe-batch";

/** Loaded when somebody exports: few do. */
export const saveTransfers = (batch: ConsoleBatchDetail, transfers: readonly ConsoleTransfer[]) =>
  saveCsv(`${batch.id}-transfers.csv`, csvPages(columnsOfBatch(batch), [transfers], document.cookie));
