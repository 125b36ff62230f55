import type { ShownProblem } from "../../../../data/problem";

/** Where a part is on its way. */
export type PartState =
  | { kind: "waiting" }
  | { kind: "trying" }
  /** Would be stored if it were sent now. */
  | { kind: "ready"; finalizeAt: string; available: string }
  | { kind: "sending" }
  /** `before`: it was stored already, by an earlier send of the same rows. */
  | { kind: "stored"; finalizeAt: string; available: string; before: boolean }
  | { kind: "refused"; problem: ShownProblem & { available?: string } };

export const isStored = (part: PartState) => part.kind === "stored";
