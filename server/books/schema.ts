import { z } from "zod";
import { TypeTotals } from "@/server/ledger/run-check";
import {
  countField,
  objectOf,
  PointsOut,
  PointTypeField,
  replyOf,
  rule,
  TimestampOut,
  wholeNumber,
} from "@/terms/fields";

export const LINKS_DEFAULT = 100;
export const LINKS_MAX = 500;

const DAY_PATTERN = /^[1-9]\d{3}-(?:0[1-9]|1[0-2])-(?:0[1-9]|[12]\d|3[01])$/;
const isDay = (value: string) =>
  DAY_PATTERN.test(value) && new Date(Date.parse(value)).toISOString().startsWith(value);

const dayMeta = { pattern: DAY_PATTERN.source, maxLength: 10, examples: ["2026-01-31"] };
const DayOut = z.string().meta({ description: "Calendar day in UTC.", ...dayMeta });
const HashOut = z.string().meta({ pattern: "^[0-9a-f]{64}$", maxLength: 64 });
const points = (description: string) => PointsOut.meta({ description });

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

export const ListLinksInput = z.strictObject({
  from: z
    .string()
    .refine(isDay, rule("invalid_value", "must be a day such as 2026-01-31"))
    .meta({ description: "First day. Without it, the first day of the chain.", ...dayMeta })
    .optional(),
  limit: wholeNumber(1, LINKS_MAX, {
    description: "Maximum number of links.",
    default: LINKS_DEFAULT,
  }).optional(),
});

/** What happened on a day in one point type, which never changes after the day. */
const DayTotals = objectOf("DayTotals", {
  pointType: PointTypeField.meta({ description: "Point type of the totals." }),
  issued: points("Points issued or granted to contracts on the day."),
  submitted: points("Points of the batches submitted on the day."),
  cancelled: points("Points of the batches cancelled on the day."),
  finalized: points("Points of the batches finalized on the day, and therefore credited."),
});
export type DayTotals = z.output<typeof DayTotals>;

const ChainLink = objectOf("BooksLink", {
  day: DayOut,
  previousHash: HashOut.meta({ description: "Hash of the previous day's link; zeros in the first link." }),
  totals: z
    .array(DayTotals)
    .max(2)
    .meta({ description: "What happened on the day, per point type, in the order of the hashed text." }),
  hash: HashOut.meta({
    description:
      "SHA-256 of these lines, joined by newlines: `day <day>`, `previous <previousHash>`, and per entry " +
      "of `totals` `<pointType> issued <issued> submitted <submitted> cancelled <cancelled> " +
      "finalized <finalized>`.",
  }),
});

export type ChainLink = z.output<typeof ChainLink>;

export const ListLinksReply = replyOf("BooksChain", {
  links: z.array(ChainLink).max(LINKS_MAX).meta({ description: "Links in order of day, without gaps." }),
  nextFrom: DayOut.nullable().meta({ description: "`from` of the next page; null if there is none." }),
});
