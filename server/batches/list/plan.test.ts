import { getTableConfig } from "drizzle-orm/pg-core";
import { describe, expect, test } from "vitest";
import { batches, batchMetadata, batchReviews, payoutParts, recipientTransfers } from "@/db/schema/batches";
import { BATCH_STATUSES, POINT_TYPES } from "@/terms/batch-terms";
import { type BatchFilters, FILTER_NAMES, LIST_SORT_NAMES, type ListSort } from "@/terms/filters";
import { INDEXES, type Index, latestOf, type Plan, planOf, type Source } from "./plan";

const contractAddress = "0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed";
const recipient = "0xfB6916095ca1df60bB79Ce92cE3Ea74c37c5d359";
const metadata = { campaign: "summer" };
const created = { createdAfter: "2026-01-01", createdBefore: "2026-02-01" };
const finalized = { finalizedAfter: "2026-01-01", finalizedBefore: "2026-02-01" };
const due = { dueAfter: "2026-01-01" };
const large = { minimumPoints: "1000" };
const mine = { submittedBy: "token:shop" };

/** Such as `batches_due UNBLOCKED + batches_leased FINALIZING`, or an index with its number of ranges. */
function wordsOfSource({ ranges, compared, instead }: Source): string {
  const names = ranges.map(({ index, pointType, state }) =>
    pointType ? index.name : [index.name, state].filter(Boolean).join(" "),
  );
  const counted = [...new Set(names)].map((name) => {
    const count = names.filter((one) => one === name).length;
    return count > 1 ? `${name} ×${count}` : name;
  });
  const left = FILTER_NAMES.filter((name) => compared?.[name] && !name.startsWith("created"));
  return [
    counted.join(" + ") || "nothing",
    ...(left.length > 0 ? [`comparing ${left.join(", ")}`] : []),
    ...(instead ? [`or ${wordsOfSource(instead)}`] : []),
  ].join(", ");
}
const wordsOf = (plan: Plan) => `${plan.read} ${wordsOfSource(plan)}`;

const OF_KINDS = "batches_by_type_contract_status";
const DUE = "batches_due UNBLOCKED";
const CLAIMED = "batches_leased FINALIZING";
const HELD = "batches_blocked ON_HOLD";
const AWAITING = "batches_blocked AWAITING_APPROVAL";
const OPEN = `${DUE} + ${HELD} + batches_blocked ONLY_AWAITING_APPROVAL`;
const OF_PAIR = "batch_metadata_of_contract, comparing metadata";
const CASES: [filters: BatchFilters, sort: ListSort, words: string][] = [
  // The API's lists of one contract, without and with kinds.
  [{ contractAddress }, "DESC", "contract batches_of_contract"],
  [{ contractAddress }, "ASC", "contract batches_of_contract"],
  [{ contractAddress, ...created }, "DESC", "contract batches_of_contract"],
  [{ contractAddress, statuses: [...BATCH_STATUSES] }, "DESC", "contract batches_of_contract"],
  [{ contractAddress, statuses: [] }, "DESC", "contract batches_of_contract"],
  [{ contractAddress, statuses: ["PENDING"] }, "DESC", `contract ${OF_KINDS} ×2`],
  [{ contractAddress, pointType: "PHASE2_GOLD" }, "ASC", `contract ${OF_KINDS} ×4`],
  [{ contractAddress, pointType: "PHASE2_GOLD", statuses: ["PENDING"] }, "DESC", `contract ${OF_KINDS}`],
  [{ contractAddress, statuses: ["PENDING", "CANCELLED"], ...created }, "DESC", `contract ${OF_KINDS} ×4`],

  // In order of creation, over all contracts or with filters that are conditions within a range.
  [{}, "DESC", "ranges batches_by_creation"],
  [{}, "ASC", "ranges batches_by_creation"],
  [created, "DESC", "ranges batches_by_creation"],
  [{ statuses: ["CANCELLED"] }, "DESC", "ranges batches_by_status_type ×2"],
  [{ pointType: "PHASE2_GOLD" }, "ASC", "ranges batches_by_status_type ×4"],
  [
    { statuses: ["CANCELLED", "PENDING"], pointType: "PHASE2_GOLD" },
    "DESC",
    "ranges batches_by_status_type ×2",
  ],
  [{ held: true }, "DESC", "ranges batches_by_status_type ×2"],
  [{ unblocked: true, contractAddress }, "DESC", `ranges ${OF_KINDS} ×2`],
  [{ awaitingApproval: true, pointType: "PHASE2_GOLD" }, "DESC", "ranges batches_by_status_type"],
  [{ idPrefix: "b-1" }, "DESC", "ranges batches_by_creation"],
  [{ idPrefix: "b-1", contractAddress }, "DESC", "ranges batches_of_contract"],
  [{ reversals: true }, "DESC", "ranges batches_by_creation"],
  [{ reversals: true, statuses: ["PENDING"] }, "ASC", "ranges batches_by_status_type ×2"],
  [{ payoutId: "payout-20261128" }, "DESC", "ranges batches_by_creation"],
  [{ overdue: true }, "DESC", `latest ${DUE} + ${CLAIMED}`],
  [{ overdue: true, pointType: "PHASE2_GOLD" }, "DESC", `latest ${DUE} + ${CLAIMED}`],
  [{ overdue: true, statuses: ["PENDING"] }, "DESC", `latest ${DUE}`],
  [{ overdue: true, contractAddress }, "DESC", `ranges ${OF_KINDS} ×4`],

  // No index has these filters, so batches are searched.
  [large, "DESC", "entries batches_by_creation, comparing minimumPoints"],
  [
    { ...large, ...due, contractAddress },
    "DESC",
    "entries batches_of_contract, comparing dueAfter, minimumPoints",
  ],
  [{ ...mine, statuses: ["PENDING"] }, "ASC", "entries batches_by_status_type ×2, comparing submittedBy"],
  [{ ...large, overdue: true }, "DESC", `latest ${DUE} + ${CLAIMED}, comparing minimumPoints`],

  // An index table comes before any index of batches.
  [{ recipient }, "DESC", "entries recipient_transfers_pkey"],
  [{ recipient, contractAddress }, "ASC", "entries recipient_transfers_pkey, comparing contractAddress"],
  [
    { recipient, metadata, unusual: true },
    "DESC",
    "entries recipient_transfers_pkey, comparing metadata, unusual",
  ],
  [
    { recipient, ...finalized },
    "DESC",
    "entries recipient_transfers_pkey, comparing finalizedAfter, finalizedBefore",
  ],
  [{ metadata }, "DESC", "entries batch_metadata_by_creation, comparing metadata"],
  [{ metadata, contractAddress }, "DESC", `entries ${OF_PAIR}`],
  [{ metadata, contractAddress, unusual: true }, "ASC", `entries ${OF_PAIR}, unusual`],
  [
    { metadata, contractAddress, held: true },
    "DESC",
    `entries batch_metadata_of_contract, comparing held, metadata`,
  ],
  [{ unusual: true }, "DESC", "entries batch_reviews_by_creation, comparing statuses"],
  [
    { unusual: true, contractAddress, ...large },
    "DESC",
    "entries batch_reviews_by_contract, comparing statuses, minimumPoints",
  ],

  // By due time, only batches that are not done.
  [{ overdue: true }, "DUE", `ranges ${DUE} + ${CLAIMED}`],
  [{ overdue: true, contractAddress, ...large }, "DUE_DESC", `ranges ${DUE} + ${CLAIMED}`],
  [{ unblocked: true }, "DUE", `ranges ${DUE}`],
  [{ held: true }, "DUE", `ranges ${HELD}`],
  [{ held: true, overdue: true }, "DUE", `ranges ${DUE}`],
  [{ awaitingApproval: true, unusual: true }, "DUE", `ranges ${AWAITING}`],
  [{ statuses: ["PENDING"] }, "DUE", `ranges ${OPEN}`],
  [{ statuses: ["FINALIZING"] }, "DUE_DESC", `ranges ${CLAIMED}`],
  [{ statuses: ["PENDING", "FINALIZING"], contractAddress }, "DUE", `ranges ${OPEN} + ${CLAIMED}`],
  [{}, "DUE", "latest batches_by_creation"],
  [{ statuses: ["PENDING", "CANCELLED"] }, "DUE", "latest batches_by_status_type ×4"],
  [{ held: true, recipient }, "DUE", "latest recipient_transfers_pkey, comparing held"],
  [due, "DUE", "latest batches_by_creation, comparing dueAfter"],

  // By finalized time.
  [{ statuses: ["FINALIZED"] }, "FINALIZED", "ranges batches_finalized FINALIZED"],
  [finalized, "FINALIZED_DESC", "ranges batches_finalized FINALIZED"],
  [{ ...finalized, contractAddress }, "FINALIZED", "ranges batches_contract_finalized FINALIZED"],
  [{ statuses: ["FINALIZED"], contractAddress }, "FINALIZED", "ranges batches_contract_finalized FINALIZED"],
  [finalized, "DESC", "latest batches_finalized FINALIZED"],
  [{ ...finalized, ...large }, "DESC", "latest batches_finalized FINALIZED, comparing minimumPoints"],

  // No index has these orders.
  [{}, "AMOUNT_DESC", "latest batches_by_creation"],
  [{ contractAddress }, "AMOUNT", "latest batches_of_contract"],
  [{ contractAddress, statuses: ["PENDING"] }, "TRANSFERS", `latest ${OF_KINDS} ×2`],
  [large, "TRANSFERS_DESC", "latest batches_by_creation, comparing minimumPoints"],
  [
    { metadata, ...finalized },
    "AMOUNT",
    "latest batch_metadata_by_creation, comparing finalizedAfter, finalizedBefore, metadata",
  ],

  // Filters that contradict each other.
  [{ held: true, statuses: ["FINALIZED"] }, "DUE", "ranges nothing"],
  [{ held: true, statuses: ["FINALIZED"], recipient }, "DESC", "entries nothing, comparing statuses, held"],
  [{ held: true, statuses: ["FINALIZED"] }, "DESC", "ranges nothing"],
  [{ overdue: true, ...finalized, contractAddress }, "AMOUNT", "latest nothing"],
];

test.each(CASES)("%j in the order %s: %s", (filters, sort, words) => {
  expect(wordsOf(planOf(filters, sort))).toBe(words);
});

const WHOLE: typeof CASES = [
  [{ ...finalized, contractAddress }, "FINALIZED_DESC", "ranges batches_contract_finalized FINALIZED"],
  [{ ...finalized, ...large }, "FINALIZED", "ranges batches_finalized FINALIZED"],
  [finalized, "DESC", "ranges batches_by_status_type ×2"],
  [{ statuses: ["FINALIZED"] }, "FINALIZED", "ranges batches_finalized FINALIZED"],
  [large, "DESC", "entries batches_by_creation, comparing minimumPoints"],
];
test.each(WHOLE)("an export of %j in the order %s leaves nothing out: %s", (filters, sort, words) => {
  expect(wordsOf(planOf(filters, sort, true))).toBe(words);
});

test("a list by metadata may be read by its types and statuses instead", () => {
  const plan = planOf({ metadata, contractAddress, statuses: ["CANCELLED"] }, "DESC");
  expect(wordsOf(plan)).toBe(
    `entries batch_metadata_of_contract, comparing statuses, metadata, or ${OF_KINDS} ×2`,
  );
  expect(plan.instead!.within).toMatchObject({ metadata, contractAddress });
});

test("the ranges of kinds are each type with each status, once", () => {
  const all = POINT_TYPES.flatMap((type) => BATCH_STATUSES.map((status) => `${type} ${status}`));
  const kindsOf = (filters: BatchFilters) =>
    planOf(filters, "DESC").ranges.map(({ pointType, state }) => `${pointType} ${state}`);
  const some = (words: string) => all.filter((kind) => kind.includes(words)).sort();
  for (const pointType of POINT_TYPES) expect(kindsOf({ pointType }).sort()).toEqual(some(pointType));
  for (const status of BATCH_STATUSES)
    expect(kindsOf({ statuses: [status] }).sort()).toEqual(some(` ${status}`));
});

/** A value of each filter, so that a new filter without one does not compile. */
const EACH: Required<{ [Name in keyof BatchFilters]: NonNullable<BatchFilters[Name]> }> = {
  contractAddress,
  statuses: ["PENDING"],
  overdue: true,
  held: true,
  awaitingApproval: true,
  pointType: "PHASE2_GOLD",
  createdAfter: "2026-01-01",
  createdBefore: "2026-02-01",
  dueAfter: "2026-01-01",
  dueBefore: "2026-02-01",
  finalizedAfter: "2026-01-01",
  finalizedBefore: "2026-02-01",
  idPrefix: "b-1",
  recipient,
  minimumPoints: "1000",
  submittedBy: "token:shop",
  metadata,
  unusual: true,
  reversals: true,
  unblocked: true,
  payoutId: "payout-20261128",
};

test("no plan loses a filter: an index answers it, it is a condition of a range, or it is compared", () => {
  // Bounds on the creation time are part of each reader's range.
  const names = FILTER_NAMES.filter((name) => !name.startsWith("created"));
  const lost: string[] = [];
  for (const one of names)
    for (const other of names)
      for (const sort of LIST_SORT_NAMES)
        for (const also of [{}, { contractAddress }]) {
          const filters: BatchFilters = { ...also, [one]: EACH[one], [other]: EACH[other] };
          for (const plan of [planOf(filters, sort), planOf(filters, sort, true), latestOf(filters)])
            if (plan.ranges.length > 0 && lostBy(plan, filters).length > 0)
              lost.push(`${lostBy(plan, filters)} of ${JSON.stringify(filters)} in ${sort}`);
        }
  expect(lost).toEqual([]);
  const blind: Plan = { ...planOf({ held: true, contractAddress }, "DESC"), within: {} };
  expect(lostBy(blind, { held: true, contractAddress })).toEqual(["contractAddress", "held"]);
});

function lostBy({ ranges, within, compared }: Plan, filters: BatchFilters): string[] {
  const answered = ranges.flatMap(({ index, pointType }) => [
    ...(index.table ? index.answers : []),
    ...(pointType ? ["pointType", "statuses"] : []),
  ]);
  return FILTER_NAMES.filter(
    (name) => filters[name] && !(within[name] || compared?.[name] || answered.includes(name)),
  );
}

describe("an index is one of the schema, and has its order after the columns of its filters", () => {
  const TABLES = {
    batches,
    recipient_transfers: recipientTransfers,
    batch_metadata: batchMetadata,
    batch_reviews: batchReviews,
    payout_parts: payoutParts,
  };
  const ORDERS: Record<string, string> = {
    entries: "created_at",
    createdAt: "created_at",
    finalizeAt: "finalize_at",
    finalizedAt: "finalized_at",
  };
  const COLUMNS: Record<string, string[]> = {
    contractAddress: ["contract_address"],
    kinds: ["point_type", "status"],
    recipient: ["to_address"],
    metadata: ["key", "value"],
  };

  const rows = Object.entries(INDEXES).flatMap(([order, indexes]) =>
    indexes.map((index: Index) => [index.name, order, index] as const),
  );

  test.each(rows)("%s: %s", (name, order, { table, answers, isSmall }: Index) => {
    const { indexes, primaryKeys } = getTableConfig(TABLES[table ?? "batches"]);
    const found = indexes.find((index) => index.config.name === name)?.config.columns;
    const columns = found ?? (name === `${table}_pkey` ? primaryKeys[0]!.columns : []);
    const names = columns.map((column) => ("name" in column ? column.name : null));
    expect(names).not.toEqual([]);
    const column = ORDERS[order];
    if (isSmall || !column) return;
    const fixed = names.slice(0, names.indexOf(column));
    expect(fixed.sort()).toEqual(answers.flatMap((answer) => COLUMNS[answer] ?? []).sort());
  });
});
