import { sql } from "drizzle-orm";
import { check, index, integer, pgTable, primaryKey, text, uniqueIndex, uuid } from "drizzle-orm/pg-core";
import { instant } from "./types";

/** One row per condition that staff should know about, kept for some time after it ends. */
export const alerts = pgTable(
  "alerts",
  {
    id: uuid("id").primaryKey().defaultRandom(),
    kind: text("kind").notNull(),
    /** What the condition is about, such as a contract's address. Empty for the service itself. */
    subject: text("subject").notNull(),
    severity: text("severity").notNull(),
    title: text("title").notNull(),
    remedy: text("remedy").notNull(),
    path: text("path").notNull(),
    /** When it is too late to do something about it, such as a batch's due time. Null if nothing is due. */
    dueAt: instant("due_at"),
    startedAt: instant("started_at").notNull().defaultNow(),
    /** When the condition cleared. The alert ends when it stays clear long enough. */
    clearedAt: instant("cleared_at"),
    endedAt: instant("ended_at"),
    /** How often the condition returned soon after the alert ended. Each time it must stay clear twice as long. */
    returns: integer("returns").notNull().default(0),
    /**
     * What the webhook and the recipients of emails were last sent about it: `nothing`, `start` or `end`; or `outdated`, a
     * start that did not say yet that it is critical.
     */
    webhookSent: text("webhook_sent").notNull().default("nothing"),
    emailSent: text("email_sent").notNull().default("nothing"),
  },
  (t) => [
    uniqueIndex("alerts_open").on(t.kind, t.subject).where(sql`${t.endedAt} is null`),
    index("alerts_by_subject").on(t.kind, t.subject, t.endedAt),
    index("alerts_by_start").on(t.startedAt, t.id),
    index("alerts_unsent").on(t.startedAt).where(sql`${t.webhookSent} <> 'end' or ${t.emailSent} <> 'end'`),
    check("alerts_severity", sql`${t.severity} in ('critical', 'warning')`),
    check("alerts_cleared", sql`${t.endedAt} is null or ${t.clearedAt} is not null`),
    check(
      "alerts_sent",
      sql`${t.webhookSent} in ('nothing', 'start', 'outdated', 'end') and ${t.emailSent} in ('nothing', 'start', 'outdated', 'end')`,
    ),
  ],
);

/** Who has marked an alert as seen. */
export const alertViews = pgTable(
  "alert_views",
  {
    alertId: uuid("alert_id")
      .notNull()
      .references(() => alerts.id, { onDelete: "cascade" }),
    seenBy: text("seen_by").notNull(),
    seenAt: instant("seen_at").notNull().defaultNow(),
  },
  (t) => [primaryKey({ columns: [t.alertId, t.seenBy] })],
);

/** Periodic work that all instances share: looking for conditions, and sending to the webhook and by email. */
export const alertJobs = pgTable("alert_jobs", {
  name: text("name").primaryKey(),
  /** No instance does it before this time. */
  nextAt: instant("next_at").notNull(),
  failures: integer("failures").notNull().default(0),
  failure: text("failure"),
  succeededAt: instant("succeeded_at"),
});
