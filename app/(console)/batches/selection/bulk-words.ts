import type { BulkAction, BulkObstacle } from "@/server/batches/bulk/bulk-schema";
import { formatAmount } from "../../../ui/amount";

export const batchesOf = (count: number) =>
  `${formatAmount(String(count))} ${count === 1 ? "batch" : "batches"}`;

interface ActionWords {
  /** Opens the preview. */
  button: string;
  /** Follows "Cannot be". */
  done: string;
  /** A job's name. */
  job: (count: number) => string;
  /** Confirms the preview. */
  confirm: (count: number) => string;
  what: string;
}

export const ACTION_WORDS = {
  hold: {
    button: "Put on hold…",
    done: "put on hold",
    job: (count) => `Hold ${batchesOf(count)}`,
    confirm: (count) => `Put ${batchesOf(count)} on hold`,
    what: "They will not be finalized, even after their due time, until someone releases or cancels them. Their contracts still see them as PENDING.",
  },
  release: {
    button: "Release…",
    done: "released",
    job: (count) => `Release ${batchesOf(count)}`,
    confirm: (count) => `Release ${batchesOf(count)}`,
    what: "They return to their original schedule. Those that are already due will be finalized within seconds.",
  },
  cancel: {
    button: "Cancel batches…",
    done: "cancelled",
    job: (count) => `Cancel ${batchesOf(count)}`,
    confirm: (count) => `Cancel ${batchesOf(count)}`,
    what: "Their transfers will not be made, and the points will be returned to their contracts. This cannot be undone.",
  },
} as const satisfies Record<BulkAction, ActionWords>;

const OBSTACLES: Record<BulkObstacle, string> = {
  FINALIZED: "Already finalized",
  FINALIZING: "Being finalized",
  CANCELLED: "Already cancelled",
  HELD: "Already on hold",
  NOT_HELD: "Not on hold",
};

/** A failure has words of its own. */
export const obstacleWords = (why: string): string =>
  Object.hasOwn(OBSTACLES, why) ? OBSTACLES[why as BulkObstacle] : why;
