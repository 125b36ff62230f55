import type { Database } from "@/db/client";

/** What every verb needs: where to act, and for whom. */
export interface ServiceContext {
  db: Database;
  requestId: string;
  /** Who acts, for timeline and audit: `token:<name>`, `operator:<address>`, `staff:<email>`, `ops`, `finalizer`. */
  actor: string;
}
