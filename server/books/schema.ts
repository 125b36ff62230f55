import { z } from "zod";
import { TypeTotals } from "@/server/ledger/run-check";
import { countField, objectOf, replyOf, TimestampOut } from "@/terms/fields";

export const GetBooksInput = z.strictObject({});

const Books = objectOf("Books", {
  readAt: TimestampOut.meta({ description: "When the service read this. It does so at most once a minute." }),
  totals: z.array(TypeTotals).max(2).meta({
    description:
      "Sums of all accounts per point type, from the last self-check that completed. Empty before the first.",
  }),
  accounts: countField("Number of accounts summed: one per address and point type."),
  totalsAt: TimestampOut.nullable().meta({ description: "Instant of the totals, by the database's clock." }),
  totalsAgeSeconds: countField().nullable().meta({ description: "Age of the totals when this was read." }),
  lastCheck: z
    .strictObject({
      result: z.enum(["IN_BALANCE", "NOT_IN_BALANCE", "INCOMPLETE"]).meta({
        description: "Whether the check found the ledger in balance. INCOMPLETE if it did not complete.",
      }),
      reach: z.enum(["WHOLE", "INCREMENTAL"]).meta({
        description:
          "WHOLE: recomputed from the whole history. " +
          "INCREMENTAL: every balance, everything new, and a part of the history.",
      }),
      startedAt: TimestampOut,
      finishedAt: TimestampOut,
      ageSeconds: countField("Time since the check finished, when this was read."),
    })
    .nullable()
    .meta({ description: "The last self-check of the ledger; null before the first." }),
  inBalanceSince: TimestampOut.nullable().meta({
    description:
      "The time since which every completed check has found the ledger in balance. " +
      "Null if the last one did not.",
  }),
});
export type Books = z.output<typeof Books>;

export const GetBooksReply = replyOf("PublicBooks", { books: Books });
