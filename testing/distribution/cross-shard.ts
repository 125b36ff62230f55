export interface CrossShard {
  /** The file or folder that holds the statement. */
  in: string;
  /** A piece of its text that tells it from its neighbours; absent when all of the file's are meant. */
  has?: string;
  /**
   * How it runs on Citus. `by shard`: with a condition that one Postgres is not sent, which pins it to one shard at a time.
   * `reads all`: every shard answers its part. `changes all`: every shard changes its part, in one transaction.
   */
  how: "by shard" | "reads all" | "changes all";
  why: string;
}

/** What the query builder wrote: the driver does not know from where. */
export const BY_BUILDER = "query builder";

const STAFF = "staff look over all contracts";
const OPERATIONS = "one number over all contracts, for operators";
const FRESH = "batches that the recipient index has not reached may be any contract's";

/** The statements of the service that one Postgres is sent without the distribution column, and why that is so. */
export const CROSS_SHARD: readonly CrossShard[] = [
  {
    in: "server/finalizer/claim-due-batches.ts",
    how: "by shard",
    why: "a claim holds batches of one shard, the shard with the longest due batch first",
  },
  {
    in: "server/ledger/settle.ts",
    how: "by shard",
    why: "the batches of a claim are on one shard; the credits go to any shard in the same transaction",
  },
  {
    in: "server/webhooks/claim-deliveries.ts",
    how: "by shard",
    why: "each shard with due deliveries gets its share of the places",
  },
  {
    in: "server/finalizer/sweep-ended.ts",
    how: "by shard",
    why: "expired rows are deleted on each shard that has some",
  },
  { in: "server/kernel/shards/routing.ts", how: "reads all", why: "finds the shards that have work" },
  {
    in: "server/kernel/shards/snapshot-barrier.ts",
    how: "reads all",
    why: "opens a snapshot on every worker",
  },
  { in: "server/finalizer/finalize-due-batches.ts", how: "reads all", why: OPERATIONS },
  {
    in: "server/recipients/index-recipients.ts",
    how: "reads all",
    why: "copies from the contracts' shards to the recipients' shards",
  },
  ...["find-fresh", "describe-recipient", "list-received", "export-received"].map((name) => ({
    in: `server/recipients/${name}.ts`,
    how: "reads all" as const,
    why: FRESH,
  })),
  { in: "server/batches/list/read-page.ts", how: "reads all", why: `the batch list: ${STAFF}` },
  {
    in: BY_BUILDER,
    has: 'select count(*)::int from (select 1 as "one" from "batches"',
    how: "reads all",
    why: `counts beside the batch list: ${STAFF}`,
  },
  {
    in: BY_BUILDER,
    has: 'select count(*)::int from ((select 1 as "one" from "batches"',
    how: "reads all",
    why: `counts of overdue batches: ${STAFF}`,
  },
  {
    in: BY_BUILDER,
    has: "as wanted inner join",
    how: "reads all",
    why: "the rows shown are read again, each by contract and id",
  },
  {
    in: BY_BUILDER,
    has: 'from "contracts" order by',
    how: "reads all",
    why: `the contracts of a filter menu: ${STAFF}`,
  },
  { in: "server/search/queries.ts", how: "reads all", why: `search: ${STAFF}` },
  { in: "server/contracts/search-contracts.ts", how: "reads all", why: `a list of contracts: ${STAFF}` },
  {
    in: "server/auth/find-caller.ts",
    has: "from operator_tokens t left join contracts c",
    how: "reads all",
    why: "the token says which contract it is for; access tokens need no contract's row",
  },
  { in: "server/operations/read-state.ts", how: "reads all", why: OPERATIONS },
  { in: "server/operations/measure-finalizing.ts", how: "reads all", why: OPERATIONS },
  { in: "server/metrics/read-figures.ts", how: "reads all", why: OPERATIONS },
  { in: "server/host/health.ts", how: "reads all", why: OPERATIONS },
  { in: "server/ops/doctor.ts", how: "reads all", why: OPERATIONS },
  { in: "server/host/first-run.ts", how: "reads all", why: "whether there is any contract yet" },
  ...[
    "check-ledger",
    "check-increment",
    "checkpoint",
    "ledger-rules",
    "movements",
    "scope",
    "transfers-of",
  ].map((name) => ({
    in: `server/ledger/${name}.ts`,
    how: "changes all" as const,
    why: "the self-check recomputes every balance, and keeps what it computed",
  })),
  { in: "server/demo/", how: "changes all", why: "a made-up month of all contracts, in one transaction" },
];
