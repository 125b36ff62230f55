import type { Database } from "@/db/client";

/** What every operation needs: the database and the actor. */
export interface ServiceContext {
  db: Database;
  requestId: string;
  /** Shown in the timeline and the audit log: `token:<name>`, `operator:<address>`, `staff:<email>`, `ops` or `finalizer`. */
  actor: string;
  /** Who created the access token of this request, as `staff:<email>` or `ops`. */
  tokenCreatedBy?: string | null | undefined;
}
