import { addressFromBytes, addressToBytes } from "@/server/kernel/address-bytes";
import { withPoints, withTimes } from "@/server/kernel/batch-rows";
import type { ServiceContext } from "@/server/kernel/context";
import { settings } from "@/server/kernel/settings";
import { balancesOf, contractNotFound, readBalances } from "@/server/ledger/accounts";
import type { PointType } from "@/terms/batch-terms";
import { boundAfter } from "@/terms/fields";
import type {
  ConsoleContract,
  ConsoleContractDetail,
  PointsPerDayInput,
  SearchContractsInput,
} from "./schema";

interface DetailRow extends Omit<ConsoleContractDetail, "address" | "operatorAddress" | "balances"> {
  address: Buffer;
  operatorAddress: Buffer | null;
}

/** A contract for its console page. @throws DomainError `contract_not_found` */
export async function describeContract(
  ctx: ServiceContext,
  input: { contractAddress: string },
): Promise<ConsoleContractDetail> {
  const address = addressToBytes(input.contractAddress);
  const [[row], balances] = await Promise.all([
    ctx.db.sql<DetailRow[]>`
      with tokens as materialized (
        select operator_address, count(*)::int as count from operator_tokens
        where contract_address = ${address} and expires_at > now() group by operator_address
      ), contract as materialized (
        select address, label, issuance, operator_address, created_at, default_wait_seconds, key_required
        from contracts where address = ${address}
      )
      select c.address, c.label, c.issuance, c.operator_address as "operatorAddress",
        c.default_wait_seconds as "defaultWaitSeconds", c.key_required as "keyRequired",
        c.created_at as "createdAt", coalesce(t.count, 0) as "operatorTokens"
      from contract c left join tokens t on t.operator_address = c.operator_address`,
    readBalances(ctx.db, address),
  ]);
  if (!row) throw contractNotFound(input.contractAddress);
  return {
    ...withTimes(row, "createdAt"),
    address: addressFromBytes(row.address),
    balances,
    operatorAddress: row.operatorAddress && addressFromBytes(row.operatorAddress),
  };
}

const KEYLESS_DAYS = 30;
/** Batches that a count looks at: the newest IDs in the form of the service's own. */
export const KEYLESS_COUNTED_MAX = 20_000;
const DAY_MS = 86_400_000;

const idMadeAt = (ms: number) => ms.toString(16).padStart(12, "0").replace(/^.{8}/, "$&-");

/**
 * How many POSTs without a key stored a batch or a reversal in the last 30 days. The service generated their
 * IDs: UUIDv7, which begin with the time, so that the index of IDs has them in one range. It also has the
 * UUIDv7 that callers chose, which `keyless` excludes. A batch of an earlier version, without it, counts.
 * @returns `isAtLeast`: the range was too long to be counted to its end
 */
export async function countKeyless(
  { db: { sql } }: ServiceContext,
  input: { contractAddress: string },
): Promise<{ count: number; isAtLeast: boolean }> {
  // With a day on each side for clocks that differ: the time of creation decides.
  const [from, until] = [-KEYLESS_DAYS - 1, 1].map((days) => idMadeAt(Date.now() + days * DAY_MS));
  const [counted] = await sql.begin(async (tx) => {
    // Both would read the whole range, or the whole table, and then sort it.
    await tx`select set_config('enable_seqscan', 'off', true), set_config('enable_bitmapscan', 'off', true)`;
    return await tx<{ count: number; read: number }[]>`
      with latest as materialized (
        select id, keyless, created_at from batches
        where contract_address = ${addressToBytes(input.contractAddress)}
          and id ~>=~ ${from!}::text and id ~<~ ${until!}::text
        order by id using ~>~ limit ${KEYLESS_COUNTED_MAX}
      )
      select count(*)::int as read,
        count(*) filter (
          where created_at >= now() - ${KEYLESS_DAYS}::int * interval '1 day'
            and coalesce(keyless, id ~ '^[0-9a-f-]{14}7[0-9a-f-]{4}[89ab][0-9a-f-]{16}$')
        )::int as count
      from latest`;
  });
  return { count: counted!.count, isAtLeast: counted!.read === KEYLESS_COUNTED_MAX };
}

const PAGE_ROWS = 50;

/** By label or address. `search` is part of a label or the start of an address. */
export async function searchContracts(ctx: ServiceContext, input: SearchContractsInput) {
  const { sql } = ctx.db;
  const wanted = input.search?.trim().toLowerCase();
  const matches = wanted
    ? sql`(position(${wanted} in lower(label)) > 0
        or starts_with('0x' || encode(address, 'hex'), ${wanted.startsWith("0x") ? wanted : `0x${wanted}`}))`
    : sql`true`;
  const after = input.cursor
    ? sql`(lower(label), address) >
        (select lower(label), address from contracts where address = ${addressToBytes(input.cursor)})`
    : sql`true`;
  const rows = await sql<(Omit<ConsoleContract, "address" | "balances"> & { address: Buffer })[]>`
    select address, label, issuance, created_at as "createdAt" from contracts
    where ${matches} and ${after}
    order by lower(label), address limit ${PAGE_ROWS + 1}`;
  const page = rows.slice(0, PAGE_ROWS);
  const balances = await balancesOf(
    ctx.db,
    page.map((row) => row.address),
  );
  return {
    contracts: page.map((row) => ({
      ...withTimes(row, "createdAt"),
      address: addressFromBytes(row.address),
      balances: balances(row.address),
    })),
    cursor: rows.length > PAGE_ROWS ? addressFromBytes(page.at(-1)!.address) : null,
  };
}

/** How long first steps are shown. */
const NEW_DAYS = 30;

/**
 * The first steps of a contract, or of the whole console, whose first contract they name. Null when all are
 * done, or the contract has a batch and is not new. Each table is read by an index, or for one row.
 */
export async function describeSetup(ctx: ServiceContext, input: { contractAddress?: string | undefined }) {
  const { sql } = ctx.db;
  const address = input.contractAddress && addressToBytes(input.contractAddress);
  const of = (column: string) => (address ? sql`${sql(column)} = ${address}` : sql`true`);
  const [found] = await sql<{ address: Buffer; isNew: boolean }[]>`
    select address, created_at > now() - make_interval(days => ${NEW_DAYS}::int) as "isNew"
    from contracts where ${of("address")} order by created_at, address limit 1`;
  const its = of("contract_address");
  const [[access], [batch], [webhook]] = await Promise.all([
    sql<[{ hasToken: boolean; hasTeam: boolean }]>`
      select exists (select 1 from access_tokens where ${its}
        and revoked_at is null and coalesce(expires_at > now(), true)) as "hasToken",
        (select count(*) > 1 from (select 1 from staff limit 2) s) as "hasTeam"`,
    sql`select 1 from batches where ${its} limit 1`,
    sql`select 1 from webhook_endpoints where ${its} limit 1`,
  ]);
  const contractAddress = found ? addressFromBytes(found.address) : null;
  const { ALERT_WEBHOOK_URL, ALERT_EMAIL_TO } = settings();
  const stored = { hasBatch: batch !== undefined, hasWebhook: webhook !== undefined };
  const hasAlerts = Boolean(ALERT_WEBHOOK_URL ?? ALERT_EMAIL_TO);
  const setup = { contractAddress, ...access, ...stored, hasAlerts };
  const isOver = found?.isNew === false && setup.hasBatch;
  return isOver || Object.values(setup).every(Boolean) ? null : setup;
}
export type Setup = NonNullable<Awaited<ReturnType<typeof describeSetup>>>;

/**
 * Points that a contract submitted per day, without reversals, and their current status. Grouped by day of
 * creation, so that the parts add up. Days are given as instants, since a day has 23, 24 or 25 hours in the
 * viewer's time zone. They are bound as `timestamptz[]`, because Postgres would repeat a cast from text for
 * every row.
 * @returns `day`: the index of the day in the request
 */
export async function sumPointsPerDay(ctx: ServiceContext, input: PointsPerDayInput) {
  const starts = input.dayStarts.map((start) => boundAfter(start)!);
  type Day = Record<"finalized" | "cancelled" | "pending", string> & { day: number; pointType: PointType };
  const rows = await ctx.db.sql<Day[]>`
    select width_bucket(created_at, ${`{${starts.join(",")}}`}::timestamptz[]) - 1 as day,
      point_type as "pointType",
      coalesce(sum(points) filter (where status = 'FINALIZED'), 0) as finalized,
      coalesce(sum(points) filter (where status = 'CANCELLED'), 0) as cancelled,
      coalesce(sum(points) filter (where status in ('PENDING', 'FINALIZING')), 0) as pending
    from batches
    where contract_address = ${addressToBytes(input.contractAddress)} and reverses_seq is null
      and created_at >= ${starts[0]!}::timestamptz and created_at < ${starts.at(-1)!}::timestamptz
    group by 1, 2 order by 1, 2`;
  return rows.map((row) => withPoints(row, "finalized", "cancelled", "pending"));
}
