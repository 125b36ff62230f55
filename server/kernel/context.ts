import type { Database } from "@/db/client";
import type { BatchLimits } from "@/terms/batch-limits";

export interface ServiceContext {
  db: Database;
  requestId: string;
  /** As people see it: `token:<name>`, `operator:<address>`, `staff:<email>`, `ops` or `finalizer`. */
  actor: string;
  /** Who created the access token of this request, as `staff:<email>` or `ops`. */
  tokenCreatedBy?: string | null | undefined;
  /** Throws when the caller already has a reply or has disconnected, so that no more work starts for it. */
  requireWanted?(): void;
  /** How long the caller still waits for a reply. Absent where no reply has a deadline. */
  timeLeftMs?(): number;
}

export type StaffIdentity = { email: string; role: StaffRole; sessionId: string };
export const STAFF_ROLES = ["viewer", "operator", "admin"] as const;
export type StaffRole = (typeof STAFF_ROLES)[number];

/** Whose token a request has. */
export interface TokenHolder {
  /** Lower case. */
  contractKey: string;
  /** Null for an operator's token. */
  tokenId: string | null;
  /** `token:<name>` or `operator:<address>`. */
  actor: string;
}

/** Lets a procedure set reply headers. Both `Map` and `Headers` fit. */
export type ReplyHeaders = { set(name: string, value: string): unknown };

export interface RequestContext
  extends Pick<ServiceContext, "db" | "requestId" | "requireWanted" | "timeLeftMs"> {
  /** For heavy calls; `db` when absent. */
  heavyDb?: Database;
  limits: BatchLimits;
  /** The raw `Authorization` header; null in the console. */
  authorization: string | null;
  clientAddress: string;
  staff: StaffIdentity | null;
  /** The same person as of the last second. Absent where the context is made for one read. */
  staffNow?(): Promise<StaffIdentity | null>;
  replyHeaders: ReplyHeaders;
  /** Called once the token is found, even if it has ended or is over its limit. */
  foundHolder?(holder: TokenHolder): void;
  /** Asks when little time is left, until there is an error to answer with. Absent without a deadline. */
  whenShort?(ask: () => Error | null): void;
  /** Use `runLater`. */
  later?(work: () => Promise<void>): void;
}

/** Runs work after the reply, whose time then reveals nothing about it. Immediately where nobody waits. */
export function runLater(ctx: Pick<RequestContext, "later">, work: () => Promise<void>): void {
  if (ctx.later) ctx.later(work);
  else void work();
}

export const PASSWORD_LENGTH_MIN = 12;
export const PASSWORD_LENGTH_MAX = 200;
