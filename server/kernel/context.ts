import type { Database } from "@/db/client";
import type { BatchLimits } from "./batch-limits";

/** What every operation needs: the database and the actor. */
export interface ServiceContext {
  db: Database;
  requestId: string;
  /** Shown in the timeline and the audit log: `token:<name>`, `operator:<address>`, `staff:<email>`, `ops` or `finalizer`. */
  actor: string;
  /** Who created the access token of this request, as `staff:<email>` or `ops`. */
  tokenCreatedBy?: string | null | undefined;
}

/** A team member who is signed in to the console. */
export interface StaffIdentity {
  email: string;
  role: StaffRole;
  sessionId: string;
}
export const STAFF_ROLES = ["viewer", "operator", "admin"] as const;
export type StaffRole = (typeof STAFF_ROLES)[number];

/** Lets a procedure set reply headers. Both `Map` and `Headers` fit. */
export interface ReplyHeaders {
  set(name: string, value: string): unknown;
}

/** The context of every procedure, for API and console requests. */
export interface RequestContext {
  db: Database;
  limits: BatchLimits;
  requestId: string;
  /** The raw `Authorization` header; null in the console. */
  authorization: string | null;
  /** The client's IP address, as determined by `clientAddress`. */
  clientAddress: string;
  /** The signed-in team member; null in the REST API. */
  staff: StaffIdentity | null;
  replyHeaders: ReplyHeaders;
  /** Runs something after the reply, so that the reply's time reveals nothing about it. Immediately when absent. */
  later?(work: () => Promise<void>): void;
}
