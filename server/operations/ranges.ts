/** Time ranges of the charts, each with at most 120 buckets. */
export const RANGES = ["1h", "24h", "7d"] as const;
export type Range = (typeof RANGES)[number];

interface RangeShape {
  words: string;
  bucketSeconds: number;
  buckets: number;
  /** How long a measurement is cached. Longer ranges read more and change less. */
  keptSeconds: number;
}

export const RANGE_SHAPES = {
  "1h": { words: "1 hour", bucketSeconds: 60, buckets: 60, keptSeconds: 3 },
  "24h": { words: "24 hours", bucketSeconds: 900, buckets: 96, keptSeconds: 30 },
  "7d": { words: "7 days", bucketSeconds: 7200, buckets: 84, keptSeconds: 120 },
} as const satisfies Record<Range, RangeShape>;
