import type { PendingQuery, Row, TransactionSql } from "postgres";
import type { Database } from "@/db/client";
import { linesOfCopy } from "@/server/kernel/read-copy";
import { issued, movedByContracts, movedByTransfers } from "@/server/ledger/movements";
import type { PointType } from "@/terms/batch-terms";

type Query = PendingQuery<Row[]>;

export interface SnapshotScope {
  pointType: PointType;
  /** Null for the holdings over all contracts. */
  contract: Buffer | null;
  includesContracts: boolean;
  /** RFC 3339. */
  asOf: string;
}

/**
 * A value inside COPY, which takes no parameters. All of them come from the database: a time, a point type,
 * an address.
 */
const literal = (tx: TransactionSql, value: string) => tx.unsafe(`'${value.replaceAll("'", "''")}'`);

const finalized = (tx: TransactionSql, { pointType }: SnapshotScope) =>
  tx`b.status = 'FINALIZED' and b.point_type = ${literal(tx, pointType)}::point_type`;

const finalizedLater = (tx: TransactionSql, scope: SnapshotScope) =>
  tx`${finalized(tx, scope)} and b.finalized_at > ${literal(tx, scope.asOf)}::timestamptz`;

const finalizedByThen = (tx: TransactionSql, scope: SnapshotScope, contract: Buffer) =>
  tx`b.contract_address = ${literal(tx, `\\x${contract.toString("hex")}`)}::bytea and ${finalized(tx, scope)}
    and b.finalized_at <= ${literal(tx, scope.asOf)}::timestamptz`;

/** Joining contracts gives one range of the key per contract. */
const issuedLater = (tx: TransactionSql, { asOf, pointType }: SnapshotScope) => tx`
  i.created_at > ${literal(tx, asOf)}::timestamptz and i.point_type = ${literal(tx, pointType)}::point_type
    and i.contract_address in (select address from contracts)`;

/**
 * The balances now, less what came after, which is a range of an index of batches. Every address that it
 * changed has an account, so the many accounts that did not change are only read.
 */
const heldOverall = (tx: TransactionSql, scope: SnapshotScope): Query => tx`
  later as materialized (
    select c.address, sum(c.earned + c.received - c.sent) as points
    from (
      ${movedByContracts(tx, finalizedLater(tx, scope))}
      union all ${movedByTransfers(tx, finalizedLater(tx, scope))}
      union all ${issued(tx, issuedLater(tx, scope))}
    ) as c group by c.address
  ), held as (
    select a.address, a.earned + a.received - a.sent - coalesce(l.points, 0) as points
    from accounts a left join later l on l.address = a.address
    where a.point_type = ${literal(tx, scope.pointType)}::point_type
  )`;

/** What the contract's batches paid by then, less what its reversals took back. No balance says that. */
const heldFrom = (tx: TransactionSql, scope: SnapshotScope, contract: Buffer): Query => tx`
  held as (
    select p.address, p.received - p.sent as points
    from (${movedByTransfers(tx, finalizedByThen(tx, scope, contract))}) as p
  )`;

/**
 * Every account by address, for COPY. Also those without points, since a condition would compute the points
 * a second time.
 * @param after of holders only those above this address, 40 digits, and of registered contracts all
 */
export const holdings = (tx: TransactionSql, scope: SnapshotScope, after = "") => tx`
  with registered as materialized (
    select address from contracts
    where created_at <= ${literal(tx, scope.asOf)}::timestamptz
      and not ${literal(tx, String(scope.includesContracts))}::boolean
  ), ${scope.contract ? heldFrom(tx, scope, scope.contract) : heldOverall(tx, scope)}
  select encode(h.address, 'hex') as address, trim_scale(h.points) as points,
    r.address is not null as "isContract"
  from held h left join registered r on r.address = h.address
  ${after ? tx`where h.address > ${literal(tx, `\\x${after}`)}::bytea or r.address is not null` : tx``}
  order by h.address`;

/** The same as lines of `<address> <points> <t or f>`. Postgres reads ahead while they are stored. */
export const readHoldings = (db: Database, tx: TransactionSql, scope: SnapshotScope, after: string) =>
  linesOfCopy(db, tx, tx`copy (${holdings(tx, scope, after)}) to stdout with (delimiter ' ')`);

const ADDRESS_DIGITS = 40;

/** A line of `readHoldings`. */
export const parseHolding = (line: string) => ({
  address: line.slice(0, ADDRESS_DIGITS),
  points: line.slice(ADDRESS_DIGITS + " ".length, -" t".length),
  isContract: line.endsWith("t"),
});

/**
 * What the holdings must add up to, from other columns: everything issued by then, since points only move
 * after that; or the totals of the contract's batches.
 */
export async function readLedgerTotal(tx: TransactionSql, scope: SnapshotScope): Promise<string> {
  const { contract, pointType } = scope;
  const [row] = contract
    ? await tx<{ total: string }[]>`
        select coalesce(sum(
          case when b.reverses_seq is null then b.points else -b.points end), 0)::text as total
        from batches b where ${finalizedByThen(tx, scope, contract)}`
    : await tx<{ total: string }[]>`
        with later as materialized (
          select coalesce(sum(i.earned), 0) as points from (${issued(tx, issuedLater(tx, scope))}) as i
        ), ever as materialized (
          select coalesce(sum(earned), 0) as points from accounts
          where point_type = ${literal(tx, pointType)}::point_type
        ) select (ever.points - later.points)::text as total from ever, later`;
  return row!.total;
}
