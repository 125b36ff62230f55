import { bigint, index, integer, pgTable, text } from "drizzle-orm/pg-core";

/**
 * Request counts per caller and window. Unlogged (see its migration): counting needs no disk flush, and a database crash
 * loses the counts. Needed by "submit 10 at 16" in docs/benchmarks.md.
 */
export const rateLimits = pgTable(
  "rate_limits",
  {
    key: text("key").primaryKey(),
    points: integer("points").notNull(),
    /** Unix time in milliseconds. */
    expire: bigint("expire", { mode: "number" }),
  },
  (t) => [index("rate_limits_by_expiry").on(t.expire)],
);
