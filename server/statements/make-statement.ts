import type { Sql, TransactionSql } from "postgres";
import type { ServiceContext } from "@/server/kernel/context";
import { readReport, retryLater } from "@/server/kernel/limits";
import { invalid } from "@/server/kernel/to-domain-error";
import { addressFromBytes, addressToBytes } from "@/server/kernel/values/addresses";
import { toTimestamp } from "@/server/kernel/values/batch-rows";
import { boundsOfMonth, monthOf, POINT_TYPES, type PointType } from "@/server/kernel/values/batch-terms";
import { formatPoints, parseSum } from "@/server/kernel/values/points";
import { contractNotFound } from "@/server/ledger/accounts";
import { UNSETTLED_SECONDS } from "@/server/ledger/checkpoint";
import type { ConsoleStatement, StatementInput, StatementOut } from "./schema";

/** What a statement covers: `until` is the month's end, or `infinity` while the month lasts. */
export type Period = { from: string; until: string };

/** Null while the period lasts: its account has the current figures. */
export type Received = (pointType: PointType) => {
  byStart: bigint;
  byEnd: bigint | null;
  reservedAtEnd: bigint | null;
};

/**
 * Reads every transfer that the address had received by then, from the index by recipient. The index has no finalization
 * times, because its rows are written when a batch is created, so each batch is looked up.
 * @throws DomainError `unavailable` while a batch created before the bound is not indexed yet
 */
export async function readReceived(
  tx: TransactionSql,
  address: Buffer,
  { from, until }: Period,
): Promise<Received> {
  const isOver = until !== "infinity";
  const bound = isOver ? until : from;
  const fresh = await tx`
    select 1 from batches where (created_at, seq) > (select created_at, batch_seq from recipient_progress)
      and created_at < ${bound}::timestamptz limit 1`;
  if (fresh.length > 0) throw retryLater("The newest batches are not indexed yet. Retry in a few seconds.");
  const rows = await tx<{ point_type: PointType; by_start: string; by_end: string; reserved: string }[]>`
    select b.point_type,
      coalesce(sum(i.points) filter (where b.finalized_at < ${from}::timestamptz and b.reverses_seq is null), 0) as by_start,
      coalesce(sum(i.points) filter (where b.finalized_at < ${bound}::timestamptz and b.reverses_seq is null), 0) as by_end,
      coalesce(sum(i.points) filter (where b.reverses_seq is not null
        and (b.finalized_at < ${bound}::timestamptz or b.cancelled_at < ${bound}::timestamptz) is not true), 0) as reserved
    from (
      with indexed as materialized (
        select batch_seq, contract_address, points from recipient_transfers
        where to_address = ${address} and created_at < ${bound}::timestamptz
      ) select * from indexed
    ) as i join batches b on b.seq = i.batch_seq and b.contract_address = i.contract_address
    where b.status = 'FINALIZED' and b.finalized_at < ${bound}::timestamptz or b.reverses_seq is not null
    group by b.point_type`;
  return (pointType) => {
    const row = rows.find(({ point_type }) => point_type === pointType);
    return {
      byStart: parseSum(row?.by_start ?? "0"),
      byEnd: isOver ? parseSum(row?.by_end ?? "0") : null,
      reservedAtEnd: isOver ? parseSum(row?.reserved ?? "0") : null,
    };
  };
}

/** Sums of one point type, as database text. "Later" is from the period's end until now. */
interface Facts {
  point_type: PointType;
  held_now: string;
  received_ever: string;
  issued: string;
  issued_later: string;
  sent: string;
  sent_later: string;
  /** By the contract's own reversals. */
  taken_back: string;
  taken_back_later: string;
  /** By other contracts' reversals. */
  given_back: string;
  given_back_later: string;
  cancelled: string;
  pending: string;
  /** What the account has reserved now: its own batches, and reversals of other contracts. */
  pending_now: string;
}

/**
 * A contract's statements of one month (docs/statements.md). Every figure is computed from batches, issuances and transfers,
 * in one snapshot. The opening and closing balances are the current balance minus what happened since.
 * @throws DomainError `contract_not_found`; `validation_failed` for a month before the contract or in the future;
 *   `unavailable` while transfers to the contract are not indexed yet, and when it takes too long or its turn does not come
 */
export async function makeStatement(
  ctx: ServiceContext,
  input: StatementInput,
  options: { secondsMax?: number } = {},
): Promise<ConsoleStatement> {
  const address = addressToBytes(input.contractAddress);
  // The primary's clock decides which month is the current one.
  const [contract] = await ctx.db.sql<{ label: string; created_at: string; now: string }[]>`
    select label, created_at, now() as now from contracts where address = ${address}`;
  if (!contract) throw contractNotFound(input.contractAddress);
  const createdAt = toTimestamp(contract.created_at);
  const readAt = toTimestamp(contract.now);
  const [firstMonth, currentMonth] = [monthOf(createdAt), monthOf(readAt)];
  const { month } = input;
  if (month > currentMonth)
    throw outOfRange(`must not be in the future: the current month is ${currentMonth} in UTC`);
  if (month < firstMonth)
    throw outOfRange(
      `must not be before ${firstMonth}, because the contract was registered on ${createdAt.slice(0, 10)}`,
    );
  const { from, to } = boundsOfMonth(month);
  const isCurrent = month === currentMonth;
  const period = { from, until: isCurrent ? "infinity" : to };
  const statements = await readReport(ctx, address, (tx) => readStatements(tx, address, period), {
    tooLong: TOO_LONG,
    ...options,
  });
  return {
    contractAddress: addressFromBytes(address),
    contractLabel: contract.label,
    firstMonth,
    currentMonth,
    month,
    from,
    to,
    readAt,
    isFinal: Date.parse(readAt) >= Date.parse(to) + UNSETTLED_SECONDS * 1000,
    statements: statements.filter(({ pointType }) => pointType === (input.pointType ?? pointType)),
  };
}

/** A statement reads the contract's rows from the month's start until now. */
const TOO_LONG =
  "The statement took too long to compute. Retry when the service is less busy, or choose a later month, which takes less time.";

const outOfRange = (detail: string) =>
  invalid(`/month ${detail}.`, { errors: [{ pointer: "/month", code: "out_of_range", detail }] });

async function readStatements(tx: TransactionSql, address: Buffer, period: Period): Promise<StatementOut[]> {
  const facts = await readFacts(tx, address, period);
  const hasReceived = facts.some(({ received_ever }) => parseSum(received_ever) > 0n);
  const received = hasReceived ? await readReceived(tx, address, period) : null;
  return POINT_TYPES.map((type) =>
    toStatement(type, facts.find(({ point_type }) => point_type === type)!, received),
  );
}

function toStatement(pointType: PointType, facts: Facts, receivedBefore: Received | null): StatementOut {
  const ever = parseSum(facts.received_ever);
  const before = receivedBefore?.(pointType);
  const receivedByEnd = before?.byEnd ?? ever;
  const received = receivedByEnd - (before?.byStart ?? 0n);
  const [issued, sent] = [parseSum(facts.issued), parseSum(facts.sent)];
  const [takenBack, givenBack] = [parseSum(facts.taken_back), parseSum(facts.given_back)];
  const closing =
    parseSum(facts.held_now) -
    parseSum(facts.issued_later) -
    (ever - receivedByEnd) -
    parseSum(facts.taken_back_later) +
    parseSum(facts.sent_later) +
    parseSum(facts.given_back_later);
  const pending =
    before?.reservedAtEnd === null
      ? parseSum(facts.pending_now)
      : parseSum(facts.pending) + (before?.reservedAtEnd ?? 0n);
  return {
    pointType,
    opening: formatPoints(closing - issued - received - takenBack + sent + givenBack),
    issued: formatPoints(issued),
    received: formatPoints(received),
    ...(takenBack > 0n ? { takenBack: formatPoints(takenBack) } : {}),
    sent: formatPoints(sent),
    ...(givenBack > 0n ? { givenBack: formatPoints(givenBack) } : {}),
    closing: formatPoints(closing),
    pending: formatPoints(pending),
    cancelled: formatPoints(parseSum(facts.cancelled)),
  };
}

/**
 * The account, and sums over what the contract did since the period began. Each part is one range of one index. The account
 * itself is a row per point type, for every registered contract. An account's `received` includes what its own reversals
 * took back.
 */
export const readFacts = (tx: Sql | TransactionSql, address: Buffer, { from, until }: Period) => {
  const within = (time: string) => tx`${tx(time)} < ${until}::timestamptz`;
  const later = (time: string) => tx`${tx(time)} >= ${until}::timestamptz`;
  return tx<Facts[]>`
  select point_type, sum(held_now) as held_now, sum(received_ever) as received_ever, sum(pending_now) as pending_now,
    sum(issued) as issued, sum(issued_later) as issued_later, sum(sent) as sent, sum(sent_later) as sent_later,
    sum(taken_back) as taken_back, sum(taken_back_later) as taken_back_later,
    sum(given_back) as given_back, sum(given_back_later) as given_back_later,
    sum(cancelled) as cancelled, sum(pending) as pending
  from (
    select point_type, earned + received - sent as held_now, received as received_ever, pending as pending_now,
      0::numeric as issued, 0::numeric as issued_later, 0::numeric as sent, 0::numeric as sent_later,
      0::numeric as taken_back, 0::numeric as taken_back_later, 0::numeric as given_back, 0::numeric as given_back_later,
      0::numeric as cancelled, 0::numeric as pending
    from accounts where address = ${address}
    union all
    select point_type, 0, -sum(points), 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0
    from batches where contract_address = ${address} and reverses_seq is not null and status = 'FINALIZED'
    group by point_type
    union all
    select point_type, 0, 0, 0, coalesce(sum(points) filter (where ${within("created_at")}), 0),
      coalesce(sum(points) filter (where ${later("created_at")}), 0), 0, 0, 0, 0, 0, 0, 0, 0
    from issuances where contract_address = ${address} and created_at >= ${from}::timestamptz group by point_type
    union all
    select point_type, 0, 0, 0, 0, 0,
      coalesce(sum(points) filter (where ${within("finalized_at")} and reverses_seq is null), 0),
      coalesce(sum(points) filter (where ${later("finalized_at")} and reverses_seq is null), 0),
      coalesce(sum(points) filter (where ${within("finalized_at")} and reverses_seq is not null), 0),
      coalesce(sum(points) filter (where ${later("finalized_at")} and reverses_seq is not null), 0), 0, 0, 0,
      coalesce(sum(points) filter (where ${later("finalized_at")} and ${within("created_at")} and reverses_seq is null), 0)
    from batches where contract_address = ${address} and status = 'FINALIZED' and finalized_at >= ${from}::timestamptz
    group by point_type
    union all
    select b.point_type, 0, 0, 0, 0, 0, 0, 0, 0, 0,
      coalesce(sum(r.points) filter (where ${within("b.finalized_at")}), 0),
      coalesce(sum(r.points) filter (where ${later("b.finalized_at")}), 0), 0, 0
    from reversed_transfers r join batches b on b.contract_address = r.contract_address and b.seq = r.reversal_seq
    where r.to_address = ${address} and b.status = 'FINALIZED' and b.finalized_at >= ${from}::timestamptz
    group by b.point_type
    union all
    select point_type, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0,
      coalesce(sum(points) filter (where ${within("cancelled_at")}), 0),
      coalesce(sum(points) filter (where ${later("cancelled_at")} and ${within("created_at")}), 0)
    from batches where contract_address = ${address} and status = 'CANCELLED' and cancelled_at >= ${from}::timestamptz
      and reverses_seq is null
    group by point_type
    union all
    select point_type, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, sum(points)
    from batches where contract_address = ${address} and point_type = any(enum_range(null::point_type))
      and status in ('PENDING', 'FINALIZING') and created_at < ${until}::timestamptz and reverses_seq is null
    group by point_type
  ) as facts group by point_type`;
};
