import type { Settings } from "./settings";
import type { PointType } from "./values/batch-terms";

export interface BatchLimits {
  minimumPoints: Record<PointType, string>;
  transfersMax: number;
  minimumFinalizeSeconds: number;
  defaultFinalizeSeconds: number;
  /** Only for callers of the earlier service (`LEGACY_API`). */
  zeroAddressAllowed: boolean;
}

export const batchLimits = (settings: Settings): BatchLimits => ({
  minimumPoints: {
    PHASE2_POINTS: settings.MINIMUM_TRANSFER_POINTS,
    PHASE2_GOLD: settings.MINIMUM_TRANSFER_GOLD,
  },
  transfersMax: settings.MAX_TRANSFERS_PER_BATCH,
  minimumFinalizeSeconds: settings.MINIMUM_FINALIZE_SECONDS,
  defaultFinalizeSeconds: settings.DEFAULT_FINALIZE_SECONDS,
  zeroAddressAllowed: settings.LEGACY_API === "true",
});
