import { bigint, index, integer, pgTable, text } from "drizzle-orm/pg-core";

/**
 * Requests counted per caller and window, in the columns and order that rate-limiter-flexible writes. Unlogged (see its
 * migration): a crash of the database forgets them, and counting costs no flush to disk.
 */
export const rateLimits = pgTable(
  "rate_limits",
  {
    key: text("key").primaryKey(),
    points: integer("points").notNull(),
    /** Milliseconds since 1970. */
    expire: bigint("expire", { mode: "number" }),
  },
  (t) => [index("rate_limits_by_expiry").on(t.expire)],
);
