import { inDocument, openProcedure, router } from "@/server/auth/procedures";
import { settings } from "@/server/kernel/settings";
import { dayAfter, readLinks } from "./chain";
import { cachedBooks } from "./read-books";
import { GetBooksInput, GetBooksReply, LINKS_DEFAULT, ListLinksInput, ListLinksReply } from "./schema";

const booksProcedure = openProcedure(() => settings().PUBLIC_BOOKS);

export const booksRouter = router({
  get: booksProcedure
    .meta(
      inDocument("Books", "GET /v1/books", {
        summary: "Get the totals of all points",
        description:
          "Returns the sums of all accounts, and whether the last self-check found the ledger in balance. " +
          "Needs no token. 404 unless the service runs with `PUBLIC_BOOKS=on`.",
      }),
    )
    .input(GetBooksInput)
    .output(GetBooksReply)
    .query(async ({ ctx }) => ({ success: true as const, books: await cachedBooks(ctx.db) })),

  chain: booksProcedure
    .meta(
      inDocument("Books", "GET /v1/books/chain", {
        summary: "List the daily hash chain",
        description:
          "Returns one link per UTC day that is over. Each has the totals of its day and the hash of the " +
          "previous link, so that no past day can change unnoticed. " +
          "Needs no token. 404 unless the service runs with `PUBLIC_BOOKS=on`.",
      }),
    )
    .input(ListLinksInput)
    .output(ListLinksReply)
    .query(async ({ ctx, input }) => {
      const limit = input.limit ?? LINKS_DEFAULT;
      const links = await readLinks(ctx.db.sql, input.from ?? null, limit);
      const last = links.at(-1);
      const nextFrom = last && links.length === limit ? dayAfter(last.day) : null;
      return { success: true as const, links, nextFrom };
    }),
});
