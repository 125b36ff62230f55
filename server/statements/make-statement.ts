import type { Sql, TransactionSql } from "postgres";
import { addressFromBytes, addressToBytes } from "@/server/kernel/address-bytes";
import { toTimestamp } from "@/server/kernel/batch-rows";
import { cached } from "@/server/kernel/cached";
import type { ServiceContext } from "@/server/kernel/context";
import { readContractFigures } from "@/server/kernel/contract-figures";
import { retryLater } from "@/server/kernel/retry-after";
import { invalidFields } from "@/server/kernel/to-domain-error";
import { contractNotFound } from "@/server/ledger/accounts";
import { UNSETTLED_SECONDS } from "@/server/ledger/checkpoint";
import { boundsOfMonth, monthOf, POINT_TYPES, type PointType } from "@/terms/batch-terms";
import { formatPoints, parseSum } from "@/terms/points";
import type { AllStatementsInput, StatementInput, StatementOut } from "./schema";

export type ConsoleStatement = Awaited<ReturnType<typeof makeStatement>>;
export type StatementMonth = Omit<ConsoleStatement, "contractAddress" | "contractLabel" | "statements">;
export type AllStatements = Awaited<ReturnType<typeof makeStatements>>;

/** What a statement covers: `until` is the month's end, or `infinity` while the month lasts. */
export type Period = { from: string; until: string };

/** Received by the period's start and end, and what reversals had reserved then. Database text. */
type Received = { point_type: PointType; by_start: string; by_end: string; reserved: string };

const hasEnded = ({ until }: Period) => until !== "infinity";

/**
 * Reads every transfer that the address had received by then, from the index by recipient. The index has no
 * finalization times, because its rows are written when a batch is created, so each batch is looked up.
 * @throws DomainError `unavailable` while a batch created before the bound is not indexed yet
 */
async function readReceived(tx: TransactionSql, address: Buffer, period: Period): Promise<Received[]> {
  const { from, until } = period;
  const bound = hasEnded(period) ? until : from;
  const fresh = await tx`
    select 1 from batches where (created_at, seq) > (select created_at, batch_seq from recipient_progress)
      and created_at < ${bound}::timestamptz limit 1`;
  if (fresh.length > 0) throw retryLater("The newest batches are not indexed yet. Retry in a few seconds.");
  const before = (column: string, time: string) => tx`${tx(column)} < ${time}::timestamptz`;
  const receivedBefore = (time: string) => tx`coalesce(sum(i.points) filter (
        where ${before("b.finalized_at", time)} and b.reverses_seq is null), 0)`;
  return await tx<Received[]>`
    select b.point_type, ${receivedBefore(from)} as by_start, ${receivedBefore(bound)} as by_end,
      coalesce(sum(i.points) filter (
        where b.reverses_seq is not null
          and (${before("b.finalized_at", bound)} or ${before("b.cancelled_at", bound)}) is not true
      ), 0) as reserved
    from (
      with indexed as materialized (
        select batch_seq, contract_address, points from recipient_transfers
        where to_address = ${address} and created_at < ${bound}::timestamptz
      ) select * from indexed
    ) as i join batches b on b.seq = i.batch_seq and b.contract_address = i.contract_address
    where b.status = 'FINALIZED' and b.finalized_at < ${bound}::timestamptz or b.reverses_seq is not null
    group by b.point_type`;
}

/** Sums of one point type, as database text, null for nothing. "Later" is from the period's end until now. */
interface Facts {
  point_type: PointType;
  held_now: string;
  /** With what the contract's own reversals took back, which is `reversed_ever`. */
  received_ever: string;
  reversed_ever: string | null;
  issued: string | null;
  issued_later: string | null;
  sent: string | null;
  sent_later: string | null;
  taken_back: string | null;
  taken_back_later: string | null;
  given_back: string | null;
  given_back_later: string | null;
  cancelled: string | null;
  /** Pending at the period's end, by what became of it. */
  pending_still: string | null;
  pending_finalized: string | null;
  pending_cancelled: string | null;
  /** What the account has reserved now: its own batches, and reversals of other contracts. */
  pending_now: string;
}

/**
 * A contract's statements of one month (docs/statements.md). Every figure is computed from batches, issuances
 * and transfers, in one snapshot. Opening and closing are the current balance minus what happened since.
 * @throws DomainError `contract_not_found`; `validation_failed` for a month before the contract or in the
 * future; `unavailable` while transfers to the contract are not indexed yet, and when it takes too long
 */
export async function makeStatement(
  ctx: ServiceContext,
  input: StatementInput,
  options: { secondsMax?: number } = {},
) {
  const address = addressToBytes(input.contractAddress);
  // The primary's clock decides which month is the current one.
  const [contract] = await ctx.db.sql<{ label: string; created_at: string; now: string }[]>`
    select label, created_at, now() as now from contracts where address = ${address}`;
  if (!contract) throw contractNotFound(input.contractAddress);
  const createdAt = toTimestamp(contract.created_at);
  const { period, ...month } = describeMonth(input.month, createdAt, toTimestamp(contract.now));
  if (month.month < month.firstMonth)
    throw outOfRange(
      `must not be before ${month.firstMonth}, because the contract was registered on ` +
        createdAt.slice(0, 10),
    );
  const reads = (tx: TransactionSql) => readStatements(tx, address, period, month);
  const statements = await readContractFigures(ctx, address, reads, { tooLong: TOO_LONG, ...options });
  return {
    contractAddress: addressFromBytes(address),
    contractLabel: contract.label,
    ...month,
    statements: statements.filter(({ pointType }) => pointType === (input.pointType ?? pointType)),
  };
}

/** The API leaves `readAt` out: every reply would have another `ETag`. */
function describeMonth(month: string, firstAt: string, readAt: string) {
  const [firstMonth, currentMonth] = [monthOf(firstAt), monthOf(readAt)];
  if (month > currentMonth)
    throw outOfRange(`must not be in the future: the current month is ${currentMonth} in UTC`);
  const { from, to } = boundsOfMonth(month);
  const period = { from, until: month === currentMonth ? "infinity" : to };
  const isFinal = Date.parse(readAt) >= Date.parse(to) + UNSETTLED_SECONDS * 1000;
  return { firstMonth, currentMonth, month, from, to, readAt, isFinal, period };
}

const PAGE_CONTRACTS = 50;
/** Contracts that a page looks at. */
const LOOKED_AT_MAX = 1000;
/** A page that has taken this long ends with the contract that it is at. */
const PAGE_SECONDS = 2;

/** Whether points were held or moved. */
const hasFigures = ({ pointType: _, cancelled: __, ...figures }: StatementOut) =>
  Object.values(figures).some((figure) => figure !== "0");

/**
 * The statements of one month for the contracts that existed in it, from one snapshot a page. The newest
 * contract is first, which never changes: by label, one renamed between two pages would be left out.
 * @param options.moved only contracts that held or moved points: then a page may be empty, and the next one
 * continues
 * @throws DomainError `validation_failed` for a month in the future; `unavailable` as `makeStatement` does
 */
export async function makeStatements(
  ctx: ServiceContext,
  input: AllStatementsInput,
  { pageSeconds = PAGE_SECONDS, moved = false }: { pageSeconds?: number; moved?: boolean } = {},
) {
  const endsAt = performance.now() + pageSeconds * 1000;
  const [clock] = await ctx.db.sql<[{ first: string; now: string }]>`
    select coalesce(min(created_at), now()) as first, now() as now from contracts`;
  const { period, ...month } = describeMonth(input.month, toTimestamp(clock.first), toTimestamp(clock.now));
  const readPage = async (tx: TransactionSql) => {
    const after = input.cursor
      ? tx`(created_at, address) <
          (select created_at, address from contracts where address = ${addressToBytes(input.cursor)})`
      : tx`true`;
    const everHeld = tx`exists (
      select 1 from accounts a where a.address = c.address and (a.earned > 0 or a.received > 0))`;
    const found = await tx<{ address: Buffer; label: string }[]>`
      select address, label from contracts c
      where created_at < ${month.to}::timestamptz and ${after} and ${moved ? everHeld : tx`true`}
      order by created_at desc, address desc limit ${LOOKED_AT_MAX}`;
    const contracts = [];
    let looked = 0;
    while (looked < found.length && contracts.length < PAGE_CONTRACTS) {
      if (looked > 0 && performance.now() > endsAt) break;
      const { address, label } = found[looked++]!;
      const statements = await readStatements(tx, address, period, month);
      if (moved && !statements.some(hasFigures)) continue;
      const contractAddress = addressFromBytes(address);
      contracts.push({ contractAddress, contractLabel: label, ...month, statements });
    }
    const isLast = looked === found.length && found.length < LOOKED_AT_MAX;
    return { ...month, contracts, cursor: isLast ? null : addressFromBytes(found[looked - 1]!.address) };
  };
  return await readContractFigures(ctx, ALL_CONTRACTS, readPage, { tooLong: TOO_LONG });
}

/** Takes turns as a contract does. */
const ALL_CONTRACTS = Buffer.from("all contracts");

/** A statement reads the contract's rows from the month's start until now. */
const TOO_LONG =
  "The statement took too long to compute. Retry when the service is less busy, " +
  "or choose a later month, which takes less time.";

const outOfRange = (detail: string) => invalidFields([{ pointer: "/month", code: "out_of_range", detail }]);

/** Those of a month that is over are summed once, since they cannot change any more. */
const readStatements = (
  tx: TransactionSql,
  address: Buffer,
  period: Period,
  { month, isFinal }: { month: string; isFinal: boolean },
): Promise<StatementOut[]> =>
  isFinal
    ? cached("final statements", `${address.toString("hex")} ${month}`, Number.POSITIVE_INFINITY, () =>
        sumStatements(tx, address, period),
      )
    : sumStatements(tx, address, period);

async function sumStatements(tx: TransactionSql, address: Buffer, period: Period): Promise<StatementOut[]> {
  const facts = await readFacts(tx, address, period);
  const hasReceived = facts.some((row) => parseSum(row.received_ever) > parseSum(row.reversed_ever ?? "0"));
  const received = hasReceived ? await readReceived(tx, address, period) : [];
  return POINT_TYPES.map((type) => {
    const isOfType = ({ point_type }: { point_type: PointType }) => point_type === type;
    return toStatement({ ...facts.find(isOfType)!, ...received.find(isOfType) }, hasEnded(period));
  });
}

/** While the period lasts, the account has the figures of its end. */
function toStatement(facts: Facts & Partial<Received>, isOver: boolean): StatementOut {
  const sum = (name: Exclude<keyof typeof facts, "point_type">) => parseSum(facts[name] ?? "0");
  const ever = sum("received_ever") - sum("reversed_ever");
  const receivedByEnd = isOver ? sum("by_end") : ever;
  const received = receivedByEnd - sum("by_start");
  const [issued, sent] = [sum("issued"), sum("sent")];
  const [takenBack, givenBack] = [sum("taken_back"), sum("given_back")];
  const later =
    sum("issued_later") +
    sum("taken_back_later") -
    sum("sent_later") -
    sum("given_back_later") +
    ever -
    receivedByEnd;
  const closing = sum("held_now") - later;
  const pendingAtEnd =
    sum("pending_still") + sum("pending_finalized") + sum("pending_cancelled") + sum("reserved");
  return {
    pointType: facts.point_type,
    opening: formatPoints(closing - issued - received - takenBack + sent + givenBack),
    issued: formatPoints(issued),
    received: formatPoints(received),
    ...(takenBack > 0n ? { takenBack: formatPoints(takenBack) } : {}),
    sent: formatPoints(sent),
    ...(givenBack > 0n ? { givenBack: formatPoints(givenBack) } : {}),
    closing: formatPoints(closing),
    pending: formatPoints(isOver ? pendingAtEnd : sum("pending_now")),
    cancelled: formatPoints(sum("cancelled")),
  };
}

/**
 * The account, and sums over what the contract did since the period began. Each part is one range of one
 * index. The account itself is a row per point type, for every registered contract.
 */
export const readFacts = (tx: Sql | TransactionSql, address: Buffer, { from, until }: Period) => {
  const before = (time: string) => tx`${tx(time)} < ${until}::timestamptz`;
  const later = (time: string) => tx`${tx(time)} >= ${until}::timestamptz`;
  return tx<Facts[]>`
  with account as materialized (
    select point_type, earned + received - sent as held_now, received as received_ever, pending as pending_now
    from accounts where address = ${address}
  ), reversals as materialized (
    select point_type, sum(points) as reversed_ever
    from batches where contract_address = ${address} and reverses_seq is not null and status = 'FINALIZED'
    group by point_type
  ), issuing as materialized (
    select point_type, sum(points) filter (where ${before("created_at")}) as issued,
      sum(points) filter (where ${later("created_at")}) as issued_later
    from issuances
    where contract_address = ${address} and created_at >= ${from}::timestamptz group by point_type
  ), finalizing as materialized (
    select point_type, sum(points) filter (where ${before("finalized_at")} and reverses_seq is null) as sent,
      sum(points) filter (where ${later("finalized_at")} and reverses_seq is null) as sent_later,
      sum(points) filter (where ${before("finalized_at")} and reverses_seq is not null) as taken_back,
      sum(points) filter (where ${later("finalized_at")} and reverses_seq is not null) as taken_back_later,
      sum(points) filter (where ${later("finalized_at")} and ${before("created_at")} and reverses_seq is null)
        as pending_finalized
    from batches
    where contract_address = ${address} and status = 'FINALIZED' and finalized_at >= ${from}::timestamptz
    group by point_type
  ), giving_back as materialized (
    select b.point_type, sum(r.points) filter (where ${before("b.finalized_at")}) as given_back,
      sum(r.points) filter (where ${later("b.finalized_at")}) as given_back_later
    from reversed_transfers r
      join batches b on b.contract_address = r.contract_address and b.seq = r.reversal_seq
    where r.to_address = ${address} and b.status = 'FINALIZED' and b.finalized_at >= ${from}::timestamptz
    group by b.point_type
  ), cancelling as materialized (
    select point_type, sum(points) filter (where ${before("cancelled_at")}) as cancelled,
      sum(points) filter (where ${later("cancelled_at")} and ${before("created_at")}) as pending_cancelled
    from batches
    where contract_address = ${address} and status = 'CANCELLED' and cancelled_at >= ${from}::timestamptz
      and reverses_seq is null
    group by point_type
  ), pending as materialized (
    select point_type, sum(points) as pending_still
    from batches where contract_address = ${address} and point_type = any(enum_range(null::point_type))
      and status in ('PENDING', 'FINALIZING') and created_at < ${until}::timestamptz and reverses_seq is null
    group by point_type
  )
  select * from account left join reversals using (point_type) left join issuing using (point_type)
    left join finalizing using (point_type) left join giving_back using (point_type)
    left join cancelling using (point_type) left join pending using (point_type)`;
};
