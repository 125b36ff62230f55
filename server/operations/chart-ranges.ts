/**
 * Time ranges of the charts, each with at most 120 buckets. A measurement of a longer range is cached
 * longer: it reads more and changes less.
 */
export const RANGE_SHAPES = {
  "1h": { words: "1 hour", bucketSeconds: 60, buckets: 60, keptSeconds: 3 },
  "24h": { words: "24 hours", bucketSeconds: 900, buckets: 96, keptSeconds: 30 },
  "7d": { words: "7 days", bucketSeconds: 7200, buckets: 84, keptSeconds: 120 },
} as const;
export type Range = keyof typeof RANGE_SHAPES;
export const RANGES = Object.keys(RANGE_SHAPES) as [Range, ...Range[]];
