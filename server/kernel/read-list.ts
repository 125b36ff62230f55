import type { Database } from "@/db/client";
import type { ServiceContext } from "./context";

/**
 * Runs a list's reads on the replica, if there is one that has everything committed before this call, and otherwise on
 * the primary. Whatever depends on the primary's clock or locks must be read before, on `ctx.db`.
 */
export function readList<T>(ctx: ServiceContext, reads: (db: Database) => Promise<T>): Promise<T> {
  return ctx.replica ? ctx.replica.read(ctx.db, reads) : reads(ctx.db);
}
