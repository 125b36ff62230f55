import type { Database } from "@/db/client";
import type { ServiceContext } from "./context";

/**
 * Runs a list's reads where they are answered with the least load on the primary: on the replica when there is one that
 * has everything committed before this call. What must be told by the primary's clock or locks is read before, on `ctx.db`.
 */
export function readList<T>(ctx: ServiceContext, reads: (db: Database) => Promise<T>): Promise<T> {
  return ctx.replica ? ctx.replica.read(ctx.db, reads) : reads(ctx.db);
}
