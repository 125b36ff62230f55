export const POINT_TYPES = ["PHASE2_POINTS", "PHASE2_GOLD"] as const;
export type PointType = (typeof POINT_TYPES)[number];
