import type { Database } from "@/db/client";
import type { Replica } from "@/db/replica";
import type { BatchLimits } from "./batch-limits";

/** A person signed in to the console. */
export interface StaffIdentity {
  email: string;
  role: StaffRole;
}
export const STAFF_ROLES = ["viewer", "operator", "admin"] as const;
export type StaffRole = (typeof STAFF_ROLES)[number];

/** Of the reply's headers a procedure may set one; `Map` and `Headers` both do. */
export interface ReplyHeaders {
  set(name: string, value: string): unknown;
}

/** What a request brings to every procedure, at both doors. */
export interface RequestContext {
  db: Database;
  /** For lists alone; a door names it, be it undefined. */
  replica: Replica | undefined;
  limits: BatchLimits;
  requestId: string;
  /** The `Authorization` header as it came; the console's door leaves it null. */
  authorization: string | null;
  /** The network address that the request came from, as `clientAddress` tells it. */
  clientAddress: string;
  /** The signed-in person; the REST doors leave it null. */
  staff: StaffIdentity | null;
  /** Headers to add to the reply. */
  replyHeaders: ReplyHeaders;
}
