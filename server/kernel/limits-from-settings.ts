import type { BatchLimits } from "@/terms/batch-limits";
import type { Settings } from "./settings";

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
