import type { BulkJob } from "@/server/batches/bulk/bulk-schema";
import { ACTION_WORDS } from "../selection/bulk-words";

/** How far a job is. Batches that its preview excluded are not part of `total`. */
export function progressOf(job: Pick<BulkJob, "open" | "done" | "obstacles">) {
  const missed = job.obstacles
    .filter(({ result }) => result !== "EXCLUDED")
    .reduce((sum, { batches }) => sum + batches, 0);
  const worked = job.done.batches + missed;
  return { worked, total: worked + job.open.batches, missed };
}

/** `Cancel 1,190 batches`: how many it was confirmed for. */
export const jobTitle = (job: BulkJob) => ACTION_WORDS[job.action].job(progressOf(job).total);
