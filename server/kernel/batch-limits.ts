import type { Settings } from "./settings";

export type BatchLimits = ReturnType<typeof batchLimits>;

export const batchLimits = (settings: Settings) => ({
  minimumPoints: {
    PHASE2_POINTS: settings.MINIMUM_TRANSFER_POINTS,
    PHASE2_GOLD: settings.MINIMUM_TRANSFER_GOLD,
  },
  transfersMax: settings.MAX_TRANSFERS_PER_BATCH,
  minimumFinalizeSeconds: settings.MINIMUM_FINALIZE_SECONDS,
  defaultFinalizeSeconds: settings.DEFAULT_FINALIZE_SECONDS,
  /** Only for callers of the earlier service. */
  zeroAddressAllowed: settings.LEGACY_API === "true",
});
