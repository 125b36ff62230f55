import type { UnfinishedUpload } from "@/server/batches/bulk/schema";
import type { Correction } from "@/server/batches/change/describe-correction";
import { waitOf } from "../../wait";
import type { BatchOptions } from "./fields";

/** Initial values of the form. */
export interface Draft {
  options: BatchOptions;
  reference: string;
  /** ID of the cancelled batch that it corrects; only its contract can be chosen. */
  corrects: string | undefined;
  file: File | null;
}

/** Fills in the form with a cancelled batch. */
export function draftOfCorrection(correction: Correction): Draft {
  const { corrects, contractAddress, pointType, waitSeconds, transfers, batchId } = correction;
  // In the service's own format, so that the file needs no choices.
  const rows = transfers.map(({ toAddress, points }) => `${toAddress},${points}\n`);
  return {
    options: { contractAddress, pointType, wait: waitOf(waitSeconds) },
    reference: batchId,
    corrects,
    file: new File(["to_address,points\n", ...rows], `${corrects}.csv`),
  };
}

/** Fills in what the stored batches of a file were submitted with. The file itself has to be chosen again. */
export function draftOfUpload(upload: UnfinishedUpload): Draft {
  const { contractAddress, pointType, waitSeconds, firstId, corrects } = upload;
  return {
    options: { contractAddress, pointType, wait: waitOf(waitSeconds) },
    reference: firstId.replace(/\.\d+$/, ""),
    corrects: corrects ?? undefined,
    file: null,
  };
}
