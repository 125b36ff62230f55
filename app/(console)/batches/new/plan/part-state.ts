import type { BatchReview } from "@/server/batches/list/findings";
import type { ShownProblem } from "../../../../data/problem";

export type PartState =
  | { kind: "waiting" }
  | { kind: "trying" }
  /** The dry run succeeded. */
  | { kind: "ready"; finalizeAt: string; available: string; review: BatchReview | null }
  | { kind: "sending" }
  /** `before`: an earlier submit of the same rows stored it. */
  | { kind: "stored"; finalizeAt: string; available: string; before: boolean }
  | { kind: "refused"; problem: ShownProblem & { available?: string } };

export const isStored = (part: PartState) => part.kind === "stored";
