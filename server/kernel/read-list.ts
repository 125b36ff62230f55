import type { Database } from "@/db/client";
import type { ServiceContext } from "./context";

/**
 * Runs a list's reads on the replica, if there is one that has everything committed before this call, and otherwise on
 * the primary. Whatever depends on the primary's clock or locks must be read before, on `ctx.db`.
 */
export function readList<T>(ctx: ServiceContext, reads: (db: Database) => Promise<T>): Promise<T> {
  return ctx.replica ? ctx.replica.read(ctx.db, reads) : reads(ctx.db);
}

/** All pages of a list, one after the other. Every export reads through this, so that none ends while there is a cursor. */
export async function* allPages<Cursor, Page extends { cursor: Cursor | null }>(
  read: (cursor: Cursor | null) => Promise<Page>,
): AsyncGenerator<Page, void, undefined> {
  let cursor: Cursor | null = null;
  do {
    const page: Page = await read(cursor);
    yield page;
    cursor = page.cursor;
  } while (cursor !== null);
}
