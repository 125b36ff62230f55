export interface CrossShard {
  /** The file or folder of the statement. */
  in: string;
  /** Text that identifies it in the file; absent if all of the file's statements are meant. */
  has?: string;
  /**
   * How it runs on Citus. `by shard`: pinned to one shard at a time by a condition that one Postgres is not sent.
   * `reads all`: every shard answers its part. `changes all`: every shard changes its part, in one transaction.
   */
  how: "by shard" | "reads all" | "changes all";
  why: string;
}

/** Written by the query builder, so the driver does not know the file. */
export const BY_BUILDER = "query builder";

const STAFF = "staff see all contracts";
const OPERATIONS = "one figure over all contracts, for operators";
const UNINDEXED = "batches that are not in the recipient index yet can belong to any contract";

/** The service's statements without the distribution column, and why they have none. */
export const CROSS_SHARD: readonly CrossShard[] = [
  {
    in: "server/finalizer/claim-due-batches.ts",
    how: "by shard",
    why: "a claim covers one shard, starting with the one that has the longest due batch",
  },
  {
    in: "server/ledger/settle.ts",
    how: "by shard",
    why: "the batches of a claim are on one shard; the credits go to any shard in the same transaction",
  },
  {
    in: "server/webhooks/claim-deliveries.ts",
    how: "by shard",
    why: "each shard with due deliveries gets a share of the claims",
  },
  {
    in: "server/staff/second-person.ts",
    has: "approval_rules",
    how: "reads all",
    why: "a rule of any contract limits the access that one admin gives",
  },
  {
    in: "server/finalizer/delete-expired.ts",
    how: "by shard",
    why: "expired rows are deleted on each shard that has some",
  },
  { in: "server/kernel/shards.ts", how: "reads all", why: "finds the shards that have work" },
  {
    in: "server/kernel/shards.ts",
    how: "reads all",
    why: "opens a snapshot on every worker",
  },
  { in: "server/finalizer/finalize-due-batches.ts", how: "reads all", why: OPERATIONS },
  { in: "server/alerts/", how: "reads all", why: OPERATIONS },
  {
    in: "server/recipients/index-recipients.ts",
    how: "reads all",
    why: "copies from the contracts' shards to the recipients' shards",
  },
  ...["unindexed-transfers", "describe-recipient", "list-received", "sum-received", "export-received"].map(
    (name) => ({
      in: `server/recipients/${name}.ts`,
      how: "reads all" as const,
      why: UNINDEXED,
    }),
  ),
  {
    in: "server/recipients/labels.ts",
    how: "reads all",
    why: "the recipients of a batch can be contracts of any shard",
  },
  {
    in: "server/statements/read-received.ts",
    how: "reads all",
    why: "batches that pay a contract are on their senders' shards",
  },
  {
    in: "server/batches/review/describe-batch.ts",
    how: "reads all",
    why: "the recipients of a batch are on many shards",
  },
  {
    in: "server/batches/review/find-repeats.ts",
    has: "with paid as materialized",
    how: "reads all",
    why: "the recipients of a batch are on many shards",
  },
  {
    in: "server/batches/review/find-suspects.ts",
    has: "with s as materialized",
    how: "by shard",
    why: "new batches are compared with earlier ones of their contracts, one shard at a time",
  },
  {
    in: "server/batches/review/find-suspects.ts",
    how: "reads all",
    why: "the recipients of new batches are on many shards",
  },
  {
    in: "server/batches/review/review-new-batches.ts",
    how: "reads all",
    why: "new batches can belong to any contract",
  },
  { in: "server/batches/list/list-batches.ts", how: "reads all", why: `the batch list: ${STAFF}` },
  {
    in: BY_BUILDER,
    has: 'select count(*)::int as "count" from (select 1 as "one" from "batches"',
    how: "reads all",
    why: `counts beside the batch list: ${STAFF}`,
  },
  {
    in: BY_BUILDER,
    has: 'select count(*)::int as "count" from ((select 1 as "one" from "batches"',
    how: "reads all",
    why: `counts of overdue batches: ${STAFF}`,
  },
  {
    in: BY_BUILDER,
    has: "as wanted inner join",
    how: "reads all",
    why: "refreshes the visible rows, each by contract and id",
  },
  {
    in: BY_BUILDER,
    has: 'from "contracts" order by',
    how: "reads all",
    why: `the contracts of a filter menu: ${STAFF}`,
  },
  { in: "server/search/queries.ts", how: "reads all", why: `search: ${STAFF}` },
  {
    in: "server/contracts/describe-setup.ts",
    has: "order by created_at",
    how: "reads all",
    why: `the first contract: ${STAFF}`,
  },
  { in: "server/contracts/search-contracts.ts", how: "reads all", why: `a list of contracts: ${STAFF}` },
  {
    in: "server/auth/find-caller.ts",
    has: "from operator_tokens t left join contracts c",
    how: "reads all",
    why: "the token names its contract; access tokens need no contract row",
  },
  { in: "server/operations/read-state.ts", how: "reads all", why: OPERATIONS },
  { in: "server/operations/measure-finalizing.ts", how: "reads all", why: OPERATIONS },
  { in: "server/operations/read-load.ts", how: "reads all", why: OPERATIONS },
  { in: "server/metrics/read-figures.ts", how: "reads all", why: OPERATIONS },
  { in: "server/host/health.ts", how: "reads all", why: OPERATIONS },
  { in: "server/ops/doctor.ts", how: "reads all", why: OPERATIONS },
  { in: "server/host/first-run.ts", how: "reads all", why: "whether there is any contract yet" },
  ...["check-ledger", "run-check", "checkpoint", "ledger-rules", "movements"].map((name) => ({
    in: `server/ledger/${name}.ts`,
    how: "changes all" as const,
    why: "the self-check recomputes and stores every balance",
  })),
  ...["close-day", "sum-days"].map((name) => ({
    in: `server/books/${name}.ts`,
    how: "reads all" as const,
    why: "a link of the chain has the totals of all contracts",
  })),
  { in: "server/demo/", how: "changes all", why: "a made-up month of all contracts, in one transaction" },
];
