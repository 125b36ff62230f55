import { sql } from "drizzle-orm";
import { check, index, pgTable, primaryKey, uniqueIndex } from "drizzle-orm/pg-core";
import { addressBytes, allOf, bytes, instant, staffRole } from "./types";

/** Access tokens of contracts. The token is shown once, and only its SHA-256 is stored. */
export const accessTokens = pgTable(
  "access_tokens",
  (c) => ({
    id: c.uuid("id").primaryKey().defaultRandom(),
    tokenHash: bytes("token_hash").notNull(),
    contractAddress: addressBytes("contract_address").notNull(),
    name: c.text("name").notNull(),
    /** The token's last characters, to find it in a caller's settings. Null for older tokens. */
    tokenEnd: c.text("token_end"),
    scopes: c.text("scopes").array().notNull(),
    createdBy: c.text("created_by").notNull(),
    createdAt: instant("created_at").notNull().defaultNow(),
    expiresAt: instant("expires_at"),
    lastUsedAt: instant("last_used_at"),
    revokedAt: instant("revoked_at"),
  }),
  (t) => [
    uniqueIndex("access_tokens_hash").on(t.tokenHash),
    index("access_tokens_by_contract").on(t.contractAddress, t.createdAt),
    check("access_tokens_hash_length", sql`octet_length(${t.tokenHash}) = 32`),
    check(
      "access_tokens_scopes",
      allOf(
        sql`cardinality(${t.scopes}) > 0`,
        sql`${t.scopes} <@ array['batches:read', 'batches:write', 'batches:reverse']`,
      ),
    ),
  ],
);

/** Tokens that operators got for a signature. They also end when the contract changes its operator. */
export const operatorTokens = pgTable(
  "operator_tokens",
  {
    contractAddress: addressBytes("contract_address").notNull(),
    tokenHash: bytes("token_hash").notNull(),
    operatorAddress: addressBytes("operator_address").notNull(),
    createdAt: instant("created_at").notNull().defaultNow(),
    expiresAt: instant("expires_at").notNull(),
  },
  (t) => [
    primaryKey({ columns: [t.tokenHash, t.contractAddress] }),
    index("operator_tokens_by_contract").on(t.contractAddress),
    index("operator_tokens_by_expiry").on(t.expiresAt),
    check("operator_tokens_hash_length", sql`octet_length(${t.tokenHash}) = 32`),
    check("operator_tokens_operator_length", sql`octet_length(${t.operatorAddress}) = 20`),
  ],
);

/** Solved challenges, each usable once. Kept until they would have expired. */
export const spentChallenges = pgTable(
  "spent_challenges",
  (c) => ({ nonce: c.text("nonce").primaryKey(), expiresAt: instant("expires_at").notNull() }),
  (t) => [index("spent_challenges_by_expiry").on(t.expiresAt)],
);

export const staff = pgTable(
  "staff",
  (c) => ({
    id: c.uuid("id").primaryKey().defaultRandom(),
    email: c.text("email").notNull(),
    role: staffRole("role").notNull(),
    /** Null until the invitation is used, or if the team member signs in with OIDC. */
    passwordHash: c.text("password_hash"),
    /**
     * The admins who gave this access under an approval rule, as `staff:<email>`. Until another admin
     * confirms it, each of them may hold the account: it is nobody's second person. Empty once confirmed.
     */
    unconfirmedBy: c.text("unconfirmed_by").array().notNull().default([]),
    /** Incremented by a new password or role, or by disabling, which ends existing sessions. */
    sessionEpoch: c.integer("session_epoch").notNull().default(0),
    createdAt: instant("created_at").notNull().defaultNow(),
    disabledAt: instant("disabled_at"),
    lastSignInAt: instant("last_sign_in_at"),
  }),
  (t) => [
    uniqueIndex("staff_email").on(t.email),
    check("staff_email_lower", sql`${t.email} = lower(${t.email})`),
  ],
);

/** One-time links to set or reset a password. Shown once, and stored as SHA-256. */
export const staffInvitations = pgTable(
  "staff_invitations",
  (c) => ({
    tokenHash: bytes("token_hash").primaryKey(),
    staffId: c
      .uuid("staff_id")
      .notNull()
      .references(() => staff.id),
    /** Whether an admin created it, or it was requested on the sign-in page. */
    origin: c.text("origin").notNull().default("admin"),
    createdAt: instant("created_at").notNull().defaultNow(),
    expiresAt: instant("expires_at").notNull(),
    /** `used`, or `replaced` by a newer link. Kept so that the link's page can say so. */
    ended: c.text("ended"),
    /** Null also for links that were used before this was stored. */
    usedAt: instant("used_at"),
  }),
  (t) => [
    check("staff_invitations_used", sql`${t.usedAt} is null or ${t.ended} = 'used'`),
    check("staff_invitations_ended", sql`${t.ended} in ('used', 'replaced')`),
    check("staff_invitations_origin", sql`${t.origin} in ('admin', 'sign-in')`),
    index("staff_invitations_by_staff").on(t.staffId),
    check("staff_invitations_hash_length", sql`octet_length(${t.tokenHash}) = 32`),
  ],
);

/** Signed-in browsers. The encrypted cookie names a row, so a session ends when its row is deleted. */
export const staffSessions = pgTable(
  "staff_sessions",
  (c) => ({
    id: c.uuid("id").primaryKey(),
    staffId: c
      .uuid("staff_id")
      .notNull()
      .references(() => staff.id),
    /** The person's `session_epoch` when they signed in. The session is valid while both are equal. */
    epoch: c.integer("epoch").notNull(),
    /** Such as "Firefox on Windows", from the browser's own description of itself. */
    device: c.text("device").notNull(),
    createdAt: instant("created_at").notNull().defaultNow(),
    /** Updated every few minutes at most. */
    lastUsedAt: instant("last_used_at").notNull().defaultNow(),
  }),
  (t) => [
    index("staff_sessions_by_staff").on(t.staffId),
    check("staff_sessions_device_length", sql`length(${t.device}) <= 100`),
  ],
);

/** Changes made by people and the CLI, written in the same transaction as the change. */
export const auditLog = pgTable(
  "audit_log",
  (c) => ({
    id: c.bigint("id", { mode: "bigint" }).primaryKey().generatedAlwaysAsIdentity(),
    at: instant("at").notNull().defaultNow(),
    actor: c.text("actor").notNull(),
    action: c.text("action").notNull(),
    target: c.text("target").notNull(),
    detail: c.jsonb("detail").$type<Record<string, string | number | boolean | null>>().notNull().default({}),
    requestId: c.text("request_id"),
  }),
  (t) => [
    index("audit_log_by_target").on(t.target, t.id),
    index("audit_log_by_actor").on(t.actor, t.id),
    index("audit_log_by_action").on(t.action, t.id),
    index("audit_log_by_request").on(t.requestId, t.id),
  ],
);

/**
 * Request counts per caller and window. Unlogged (see its migration): counting needs no disk flush, and a
 * database crash loses the counts. Needed by "submit 10 at 16" in docs/benchmarks.md.
 */
export const rateLimits = pgTable(
  "rate_limits",
  (c) => ({
    key: c.text("key").primaryKey(),
    points: c.integer("points").notNull(),
    /** Unix time in milliseconds. */
    expire: c.bigint("expire", { mode: "number" }),
  }),
  (t) => [index("rate_limits_by_expiry").on(t.expire)],
);
