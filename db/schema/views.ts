import { sql } from "drizzle-orm";
import { check, pgTable, text, uniqueIndex, uuid } from "drizzle-orm/pg-core";
import { staff } from "./access";
import { instant } from "./types";

/** Lists of batches that team members saved: a name for the filters, sort and columns of a URL. */
export const savedViews = pgTable(
  "saved_views",
  {
    id: uuid("id").primaryKey().defaultRandom(),
    staffId: uuid("staff_id")
      .notNull()
      .references(() => staff.id),
    name: text("name").notNull(),
    /** The URL's query, without the question mark. */
    query: text("query").notNull(),
    createdAt: instant("created_at").notNull().defaultNow(),
  },
  (t) => [
    uniqueIndex("saved_views_name").on(t.staffId, sql`lower(${t.name})`),
    check("saved_views_name_length", sql`length(${t.name}) between 1 and 60`),
    check("saved_views_query_length", sql`length(${t.query}) <= 2000`),
  ],
);
