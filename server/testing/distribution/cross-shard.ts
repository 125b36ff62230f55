export interface CrossShard {
  /** The file or folder that holds the statement. */
  in: string;
  /** A piece of its text that tells it from its neighbours; absent when all of the file's are meant. */
  has?: string;
  why: string;
}

/** What the query builder wrote: the driver does not know from where. */
export const BY_BUILDER = "query builder";

const QUEUE =
  "by design a queue over all contracts; on Citus it is asked contract by contract (docs/scale.md)";
const STAFF = "staff look over all contracts; each shard answers its part";
const OPERATIONS = "one number over all contracts, for operators";

/** The statements of the service that are not routed by the distribution column, and why that is so. */
export const CROSS_SHARD: readonly CrossShard[] = [
  {
    in: "server/finalizer/claim-due-batches.ts",
    has: "where status = 'finalizing' and lease_until",
    why: QUEUE,
  },
  { in: "server/finalizer/claim-due-batches.ts", has: "with candidates as materialized", why: QUEUE },
  { in: "server/finalizer/claim-due-batches.ts", has: "update batches set lease_until", why: QUEUE },
  { in: "server/finalizer/finalize-due-batches.ts", has: "select count(*)::int as count from (", why: QUEUE },
  { in: "server/webhooks/claim-deliveries.ts", why: QUEUE },
  { in: "server/finalizer/sweep-ended.ts", why: "what ended is removed wherever it lies" },
  {
    in: "server/ledger/settle.ts",
    has: "with claimed as materialized",
    why: "pays recipients on any shard; on Citus in two steps with credits in between (docs/scale.md)",
  },
  {
    in: "server/recipients/index-recipients.ts",
    has: "with progress as materialized",
    why: "copies from a contract's shard to its recipients' shards",
  },
  { in: "server/recipients/find-fresh.ts", why: "what waits for a recipient may be any contract's" },
  {
    in: "server/recipients/export-received.ts",
    has: "as indexed_at",
    why: "what is newer than the index may be any contract's",
  },
  { in: "server/batches/read-page.ts", why: `the batch list: ${STAFF}` },
  {
    in: BY_BUILDER,
    has: 'select count(*)::int from (select 1 as "one" from "batches"',
    why: `counts: ${STAFF}`,
  },
  {
    in: BY_BUILDER,
    has: 'select count(*)::int from ((select 1 as "one" from "batches"',
    why: `counts of what is overdue: ${STAFF}`,
  },
  {
    in: BY_BUILDER,
    has: "as wanted inner join",
    why: "rows shown are looked at again, each by contract and id: as many shards as contracts shown",
  },
  { in: "server/search/queries.ts", why: `search: ${STAFF}` },
  { in: "server/contracts/search-contracts.ts", why: `a list of contracts: ${STAFF}` },
  {
    in: "server/auth/find-caller.ts",
    has: "from operator_tokens t left join contracts c",
    why: "the token tells the contract; on Citus two statements, or `contracts` a reference table",
  },
  { in: "server/operations/read-state.ts", why: OPERATIONS },
  { in: "server/operations/measure-finalizing.ts", why: OPERATIONS },
  { in: "server/health.ts", why: OPERATIONS },
  { in: "server/ops/doctor.ts", why: OPERATIONS },
  { in: "server/host/first-run.ts", why: "whether there is any contract yet" },
  ...["check-ledger", "checkpoint"].map((name) => ({
    in: `server/ledger/${name}.ts`,
    why: "the self-check recomputes everything, by design",
  })),
  { in: "server/distribution/snapshot-barrier.ts", why: "opens a snapshot on every worker, by design" },
  { in: "server/metrics/read-figures.ts", why: OPERATIONS },
  { in: "server/demo/", why: "made-up data for trying out, made where the tables are whole" },
];
