import type { Database } from "@/db/client";
import type { Replica } from "@/db/replica";

/** What every operation needs: the database and the actor. */
export interface ServiceContext {
  db: Database;
  /** For lists only (server/kernel/read-list.ts). */
  replica?: Replica | undefined;
  requestId: string;
  /** Shown in the timeline and the audit log: `token:<name>`, `operator:<address>`, `staff:<email>`, `ops` or `finalizer`. */
  actor: string;
  /** Who created the access token of this request, as `staff:<email>` or `ops`. */
  tokenCreatedBy?: string | null | undefined;
}
