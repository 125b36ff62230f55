import type { Correction } from "@/server/batches/change/describe-correction";
import { waitOf } from "../../wait";
import type { Transfer } from "../csv/checked";
import type { Draft } from "./prepare-form";

/** Fills in the form with a cancelled batch. */
export function draftOfCorrection(correction: Correction): Draft {
  const { corrects, contractAddress, pointType, waitSeconds, transfers, batchId } = correction;
  return {
    options: { contractAddress, pointType, wait: waitOf(waitSeconds) },
    reference: batchId,
    corrects,
    file: fileOf(transfers, `${corrects}.csv`),
  };
}

/** A CSV file that needs no choices: it is in the service's own format. */
export const fileOf = (rows: readonly Transfer[], name: string) =>
  new File(["to_address,points\n", ...rows.map(({ toAddress, points }) => `${toAddress},${points}\n`)], name);
