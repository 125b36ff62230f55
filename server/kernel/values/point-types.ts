export const POINT_TYPES = ["PHASE2_POINTS", "PHASE2_GOLD"] as const;
export type PointType = (typeof POINT_TYPES)[number];

/** One value per point type. */
export const byPointType = <Value>(of: (type: PointType) => Value): Record<PointType, Value> => ({
  PHASE2_POINTS: of("PHASE2_POINTS"),
  PHASE2_GOLD: of("PHASE2_GOLD"),
});
