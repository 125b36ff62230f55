import type { Database } from "@/db/client";
import type { Replica } from "@/db/replica";

/** What every verb needs: where to act, and for whom. */
export interface ServiceContext {
  db: Database;
  /** For lists alone (server/kernel/read-list.ts). */
  replica?: Replica | undefined;
  requestId: string;
  /** Who acts, for timeline and audit: `token:<name>`, `operator:<address>`, `staff:<email>`, `ops`, `finalizer`. */
  actor: string;
}
