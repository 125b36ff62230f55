import { inDocument, openProcedure, router } from "@/server/auth/procedures";
import { settings } from "@/server/kernel/settings";
import { cachedBooks } from "./read-books";
import { GetBooksInput, GetBooksReply } from "./schema";

export const booksRouter = router({
  get: openProcedure(() => settings().PUBLIC_BOOKS)
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
    .query(async ({ ctx }) => ({ books: await cachedBooks(ctx.db) })),
});
