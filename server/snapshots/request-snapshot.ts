import { randomUUID } from "node:crypto";
import { audited } from "@/server/audit/audited";
import { addressToBytes } from "@/server/kernel/address-bytes";
import { toTimestamp } from "@/server/kernel/batch-rows";
import type { ServiceContext } from "@/server/kernel/context";
import { retryLater } from "@/server/kernel/retry-after";
import { invalid, invalidFields } from "@/server/kernel/to-domain-error";
import { requireContract } from "@/server/ledger/accounts";
import { CHECK_COMPLETED } from "@/server/ledger/run-check";
import { TYPE_LABELS } from "@/terms/batch-terms";
import { boundAfter, parseInstant } from "@/terms/fields";
import { DomainError } from "@/terms/problems";
import { ofScope, readSnapshots, shownColumns, toSnapshotOut } from "./list-snapshots";
import { SNAPSHOTS_MAX, type SnapshotOut, type SnapshotRequest } from "./schema";

export const snapshotTarget = (id: string) => `snapshot:${id}`;

/**
 * Asks for a snapshot, which a worker takes within seconds. While one is running, a request for the same
 * returns that one.
 * @throws DomainError `contract_not_found`; `validation_failed` for a time in the future or before the first
 * batch, and when there are too many; `ledger_not_in_balance`; `unavailable` while another one of the same
 * points is running
 */
export async function requestSnapshot(ctx: ServiceContext, input: SnapshotRequest): Promise<SnapshotOut> {
  const contract = input.contractAddress === undefined ? null : addressToBytes(input.contractAddress);
  if (input.contractAddress) await requireContract(ctx.db, input.contractAddress);
  await requireBalance(ctx);
  const running = await findRunning(ctx, input, contract);
  if (running) return running;
  const asOf = await chooseInstant(ctx, input, contract);
  const { sql } = ctx.db;
  const id = randomUUID();
  // Its allocations have this name too, and anyone may see their claims.
  const name = input.name ?? `${TYPE_LABELS[input.pointType]}, ${asOf.slice(0, 16).replace("T", " ")}`;
  const detail = sql`jsonb_build_object('name', name, 'pointType', point_type, 'asOf', ${asOf}::text,
    'contract', ${input.contractAddress?.toLowerCase() ?? null}::text)`;
  const [made] = await sql<SnapshotOut[]>`
    with made as (
      insert into snapshots (id, name, point_type, contract_address, includes_contracts, as_of, requested_by)
      select ${id}::uuid, ${name}, ${input.pointType}::point_type, ${contract}::bytea,
        ${input.includeContracts ?? false}::boolean, ${asOf}::timestamptz, ${ctx.actor}
      where (select count(*) from snapshots where ${ofScope(ctx, contract)}) < ${SNAPSHOTS_MAX}
      on conflict do nothing returning *
    ), ${audited(ctx, { action: "snapshot.take", target: snapshotTarget(id), detail, of: "made" })}
    select ${shownColumns(ctx)} from made`;
  if (made) return toSnapshotOut(made);
  const requestedMeanwhile = await findRunning(ctx, input, contract);
  if (requestedMeanwhile) return requestedMeanwhile;
  if ((await readSnapshots(ctx, ofScope(ctx, contract))).length < SNAPSHOTS_MAX) throw retrySoon();
  throw invalid(`There are already ${SNAPSHOTS_MAX} snapshots, which is the limit. Delete one first.`);
}

/** By the last self-check that completed. */
async function requireBalance({ db: { sql } }: ServiceContext): Promise<void> {
  const [last] = await sql<{ isOk: boolean }[]>`
    select is_ok as "isOk" from ledger_checks
    where not findings @> ${JSON.stringify([{ rule: CHECK_COMPLETED }])}::text::jsonb
    order by finished_at desc, id desc limit 1`;
  if (last && !last.isOk)
    throw new DomainError(
      "ledger_not_in_balance",
      "The last self-check found a difference in the ledger, so holdings cannot be frozen.",
    );
}

/** Times are those of the database, rounded as the time of finalizing is. */
async function chooseInstant(ctx: ServiceContext, { asOf }: SnapshotRequest, contract: Buffer | null) {
  const { sql } = ctx.db;
  const given = boundAfter(asOf);
  const [moment] = await sql<{ at: string; isAhead: boolean }[]>`
    select coalesce(${given}::timestamptz, clock_timestamp())::timestamptz(3) as at,
      coalesce(${given}::timestamptz > clock_timestamp(), false) as "isAhead"`;
  if (moment!.isAhead) throw wrongInstant("must not be in the future");
  const [first] = await sql<{ at: string }[]>`
    select created_at as at from batches
    ${contract ? sql`where contract_address = ${contract}` : sql``} order by created_at limit 1`;
  if (!first) throw wrongInstant("must not be before the first batch, and there is none");
  const at = toTimestamp(moment!.at);
  if (at < toTimestamp(first.at))
    throw wrongInstant(`must not be before ${toTimestamp(first.at)}, the time of the first batch`);
  return at;
}

const wrongInstant = (detail: string) => invalidFields([{ pointer: "/asOf", code: "out_of_range", detail }]);

const retrySoon = () =>
  retryLater("Another snapshot of these points is being taken. Retry in a few seconds.");

/** A request may take this long between choosing the current time and storing it. */
const CURRENT_MS = 10_000;

const isOfNow = ({ asOf, requestedAt }: SnapshotOut) =>
  Date.parse(requestedAt) - Date.parse(asOf) <= CURRENT_MS;

/** Before anything is inserted, which would wait for the part that a worker is storing. */
async function findRunning(ctx: ServiceContext, input: SnapshotRequest, contract: Buffer | null) {
  const { sql } = ctx.db;
  const [running] = await readSnapshots(
    ctx,
    sql`${ofScope(ctx, contract)} and point_type = ${input.pointType}::point_type and status = 'RUNNING'`,
  );
  if (!running) return undefined;
  const isSame =
    (input.name ?? running.name) === running.name &&
    (input.asOf === undefined ? isOfNow(running) : parseInstant(input.asOf) === Date.parse(running.asOf)) &&
    (input.includeContracts ?? false) === running.includesContracts;
  if (isSame) return running;
  throw retrySoon();
}
