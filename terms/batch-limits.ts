import type { PointType } from "./batch-terms";

/** What a host allows of a batch, from its settings. */
export interface BatchLimits {
  /** The smallest amount of one transfer, as a decimal string. */
  minimumPoints: Record<PointType, string>;
  transfersMax: number;
  minimumFinalizeSeconds: number;
  /** For a batch that names no wait. */
  defaultFinalizeSeconds: number;
  /** Only for callers of the earlier service. */
  zeroAddressAllowed: boolean;
}

export type WaitLimits = Pick<BatchLimits, "minimumFinalizeSeconds" | "defaultFinalizeSeconds">;
