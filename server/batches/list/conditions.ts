import {
  and,
  eq,
  gte,
  inArray,
  isNotNull,
  isNull,
  lt,
  not,
  or,
  type SQL,
  type SQLWrapper,
  sql,
} from "drizzle-orm";
import { PgDialect } from "drizzle-orm/pg-core";
import type { Fragment, ParameterOrFragment, Sql } from "postgres";
import { batches, payoutParts } from "@/db/schema/batches";
import { addressFromBytes, addressToBytes } from "@/server/kernel/address-bytes";
import { OVERDUE_AFTER_SECONDS } from "@/terms/batch-terms";
import { boundAfter, boundBefore } from "@/terms/fields";
import { type BatchFilters, FILTER_NAMES, type FilterName, possibleStatuses } from "@/terms/filters";
import type { Range, State } from "./plan";

/**
 * It does not narrow `batches` by itself: a range of the index does (`createdWithin`), or the index table
 * that is read.
 */
const byRange = () => undefined;

const CONDITIONS = {
  contractAddress: (address) => eq(batches.contractAddress, addressToBytes(address)),
  statuses: ([first, ...others]) =>
    first && (others.length > 0 ? inArray(batches.status, [first, ...others]) : eq(batches.status, first)),
  /** Also needs one of the states that can be overdue. */
  overdue: () => lt(batches.finalizeAt, overdueBefore(sql`now()`)),
  held: () => STATES.ON_HOLD(),
  awaitingApproval: () => STATES.AWAITING_APPROVAL(),
  pointType: (type) => eq(batches.pointType, type),
  createdAfter: byRange,
  createdBefore: byRange,
  dueAfter: (after) => isAfter(batches.finalizeAt, after),
  dueBefore: (before) => isBefore(batches.finalizeAt, before),
  finalizedAfter: (after) => and(STATES.FINALIZED(), isAfter(batches.finalizedAt, after)),
  finalizedBefore: (before, { finalizedAfter }) =>
    and(finalizedAfter ? undefined : STATES.FINALIZED(), isBefore(batches.finalizedAt, before)),
  idPrefix: (prefix) => sql`${batches.id} ^@ ${prefix}`,
  recipient: byRange,
  minimumPoints: (points) => gte(batches.points, points),
  submittedBy: (submitter) => eq(batches.submittedBy, asStored(submitter)),
  metadata: (pairs) => and(...Object.entries(pairs).map(([key, value]) => sql`${valueAt(key)} = ${value}`)),
  unusual: (_, filters) => and(isPending(), isUnusual(filters)),
  reversals: () => isNotNull(batches.reversesSeq),
  unblocked: () => STATES.UNBLOCKED(),
  payoutId: (payoutId, filters) => isPartOf(payoutId, filters),
} satisfies {
  [Name in FilterName]: (value: NonNullable<BatchFilters[Name]>, filters: BatchFilters) => SQL | undefined;
};

const isPending = () => eq(batches.status, "PENDING");

/** The batches of each state. Those of a partial index have its condition (db/schema/batches.ts). */
const STATES: Record<State, () => SQL | undefined> = {
  PENDING: isPending,
  FINALIZING: () => eq(batches.status, "FINALIZING"),
  FINALIZED: () => eq(batches.status, "FINALIZED"),
  CANCELLED: () => eq(batches.status, "CANCELLED"),
  UNBLOCKED: () => and(isPending(), isNull(batches.heldAt), not(batches.awaitsApproval)),
  ON_HOLD: () => and(isPending(), isNotNull(batches.heldAt)),
  AWAITING_APPROVAL: () => and(isPending(), batches.awaitsApproval.getSQL()),
  ONLY_AWAITING_APPROVAL: () => and(isPending(), batches.awaitsApproval.getSQL(), isNull(batches.heldAt)),
};

/** The condition of one range of `batches`. */
export const ofRange = ({ pointType, state }: Pick<Range, "pointType" | "state">): SQL | undefined =>
  and(pointType && eq(batches.pointType, pointType), state && STATES[state]());

/** The columns that filters compare. */
export const COMPARED = sql`
  contract_address,
  seq,
  id,
  status,
  point_type,
  points,
  held_at,
  awaits_approval,
  created_at,
  finalize_at,
  finalized_at,
  submitted_by,
  reverses_seq`;

export function filterConditions(filters: BatchFilters): SQL | undefined {
  const conditions = FILTER_NAMES.map((name) => {
    const condition: (value: never, filters: BatchFilters) => SQL | undefined = CONDITIONS[name];
    return filters[name] ? condition(filters[name] as never, filters) : undefined;
  });
  return and(...conditions);
}

/** The conditions on batches that are found in a range of an index. */
export const conditionsInRange = (filters: BatchFilters): SQL | undefined =>
  and(
    filterConditions(filters),
    // By key, since otherwise Postgres may compare all batches of the contract.
    filters.payoutId && filters.contractAddress
      ? sql`${paidSeq(filters)} = any (array(
          select batch_seq from ${payoutParts}
          where ${ofContract(filters)} and payout_id = ${filters.payoutId}))`
      : undefined,
    // The index by id begins with the contract, so it is read once for each.
    filters.idPrefix && !filters.contractAddress
      ? sql`${batches.contractAddress} in (select address from contracts)`
      : undefined,
  );

/**
 * The conditions on batches that are looked up by key. Filters that contradict each other become one that no
 * batch meets: Postgres would fold them into a constant, and Citus then no longer finds the key.
 */
export function conditionsByKey(filters: BatchFilters): SQL | undefined {
  if (possibleStatuses(filters).length === 0) return ofNone();
  return and(
    filterConditions(filters),
    filters.overdue ? or(STATES.UNBLOCKED(), STATES.FINALIZING()) : undefined,
  );
}

export const ofNone = (): SQL => lt(batches.seq, 0n);

/** Batches due before this time are overdue at an instant: late by more than a running finalizer needs. */
export const overdueBefore = (at: SQL): SQL => sql`${at} - make_interval(secs => ${OVERDUE_AFTER_SECONDS})`;

/** The batch itself or, of reversals, the one that it takes back. */
const paidSeq = ({ reversals }: BatchFilters) => (reversals ? batches.reversesSeq : batches.seq);

/** Batches of a payout, or what takes it back, each looked up by key. The index begins with the contract. */
const isPartOf = (payoutId: string, filters: BatchFilters): SQL => sql`
  (${batches.contractAddress}, ${paidSeq(filters)}) in (
    select contract_address, batch_seq from ${payoutParts}
    where ${ofContract(filters) ?? sql`contract_address in (select address from contracts)`}
      and payout_id = ${payoutId}
  )`;

/** A scalar subquery, so that it is always a lookup by key. */
const valueAt = (key: string): SQL => sql`(
  select m.value from batch_metadata m
  where m.contract_address = ${batches.contractAddress}
    and m.batch_seq = ${batches.seq}
    and m.key = ${key}
)`;

/**
 * Reviews whose findings start an alert, of batches due no earlier than the first pending one: few of all
 * reviews, since those of finalized batches stay. New recipients alone are no such finding.
 */
export const OPEN_REVIEWS = sql`due_at >= least(
    (select min(finalize_at) from batches
      where status = 'PENDING' and held_at is null and not awaits_approval),
    (select min(finalize_at) from batches
      where status = 'PENDING' and (held_at is not null or awaits_approval)))`;

/** Batches with an entry among the unusual ones, of which only the range of the other filters is read. */
const isUnusual = (filters: BatchFilters): SQL => sql`
  (${batches.contractAddress}, ${batches.seq}) in (
    select contract_address, batch_seq from batch_reviews
    where ${and(OPEN_REVIEWS, ofContract(filters), createdWithin(filters, sql`created_at`))}
  )`;

/** On an index table. */
export const ofContract = ({ contractAddress }: BatchFilters): SQL | undefined =>
  contractAddress ? sql`contract_address = ${addressToBytes(contractAddress)}` : undefined;

/** Operators are stored with the address checksummed. */
const asStored = (submitter: string) =>
  submitter.replace(
    /^operator:(0x.+)$/,
    (_, address) => `operator:${addressFromBytes(addressToBytes(address))}`,
  );

const isAfter = (time: SQLWrapper, after: string | undefined) =>
  after === undefined ? undefined : sql`${time} > ${boundAfter(after)}::timestamptz`;
const isBefore = (time: SQLWrapper, before: string | undefined) =>
  before === undefined ? undefined : sql`${time} < ${boundBefore(before)}::timestamptz`;

/** On `batches` or, with the column of it, on an index table. */
export const createdWithin = (
  { createdAfter, createdBefore }: Pick<BatchFilters, "createdAfter" | "createdBefore">,
  createdAt: SQLWrapper = batches.createdAt,
): SQL | undefined => and(isAfter(createdAt, createdAfter), isBefore(createdAt, createdBefore));

const DIALECT = new PgDialect();

/** A condition, for a statement that Drizzle does not write. */
export function asFragment(sql: Sql, condition: SQL | undefined): Fragment {
  if (!condition) return sql`true`;
  const { sql: text, params } = DIALECT.sqlToQuery(condition);
  const parts = text.split(/\$\d+/);
  return sql(Object.assign(parts, { raw: parts }), ...(params as ParameterOrFragment<never>[]));
}
