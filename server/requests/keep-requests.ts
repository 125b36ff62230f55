import { setTimeout as sleep } from "node:timers/promises";
import type { Database } from "@/db/client";
import { addressArray } from "@/server/kernel/address-bytes";
import { cutToNetwork } from "@/server/kernel/client-address";
import type { TokenHolder } from "@/server/kernel/context";
import { database } from "@/server/kernel/database";
import { logRarely } from "@/server/kernel/log";
import { processMetrics } from "@/server/kernel/metrics/process-metrics";
import { single } from "@/server/kernel/process";
import type { FieldCode, Problem } from "@/terms/problems";

/** The share that is kept of all requests but refused writes. */
const SAMPLE_SHARE = 0.01;
const ERRORS_MAX = 5;
const QUEUED_MAX = 1_000;
/** Rows of a contract per UTC hour, whatever its callers send. */
export const PER_HOUR_MAX = 1_000;
/** For requests with a token that has ended: a stranger may have found it, and must not crowd out others. */
const UNAUTHORIZED_PER_HOUR_MAX = 100;
const EVERY_MS = 1_000;
const HOUR_MS = 3_600_000;

type Caller = TokenHolder & { clientAddress: string };

export interface AnsweredRequest {
  request: { method: string };
  /** The path template; `unknown` for an unknown path. */
  route: string;
  requestId: string;
  /** Whose token it has, and where from; undefined for strangers. */
  caller?: Caller;
  /** Why it was refused. */
  problem?: Problem;
}

export type KeptRequest = ReturnType<typeof toRow>;

const queue = () =>
  single("request log", () => ({
    waiting: [] as KeptRequest[],
    /** How many of each contract were queued in this hour, and how many of them by an ended token. */
    hour: 0,
    counts: new Map<string, { rows: number; unauthorized: number }>(),
    writing: undefined as Promise<void> | undefined,
    hurry: new AbortController(),
  }));

/**
 * Keeps a refused write, and one in a hundred of the rest, of callers with a known token, in the log of the
 * token's contract. Strangers cannot add to any log. The request never waits for it.
 */
export function noteRequest(answered: AnsweredRequest, status: number, random = Math.random): void {
  const { caller } = answered;
  if (!caller) return;
  const isRefusedWrite = status >= 400 && !/^(?:GET|HEAD)$/.test(answered.request.method);
  if (!isRefusedWrite && random() >= SAMPLE_SHARE) return;
  const log = queue();
  const now = new Date();
  const hour = Math.floor(now.getTime() / HOUR_MS);
  if (hour !== log.hour) log.counts.clear();
  log.hour = hour;
  const count = log.counts.get(caller.contractKey) ?? { rows: 0, unauthorized: 0 };
  const isUnauthorized = status === 401;
  // As in `storeRequests`: one contract's callers could fill the queue, and others' requests be dropped.
  const isOver =
    count.rows >= PER_HOUR_MAX || (isUnauthorized && count.unauthorized >= UNAUTHORIZED_PER_HOUR_MAX);
  const full = isOver ? "hour" : log.waiting.length >= QUEUED_MAX ? "queue" : null;
  if (full) {
    countDropped(full, 1);
    return;
  }
  log.counts.set(caller.contractKey, {
    rows: count.rows + 1,
    unauthorized: count.unauthorized + (isUnauthorized ? 1 : 0),
  });
  log.waiting.push(toRow(answered, caller, status, now));
  log.writing ??= writeSoon();
}

function toRow(answered: AnsweredRequest, caller: Caller, status: number, createdAt: Date) {
  const { request, route, requestId, problem } = answered;
  return {
    contract_address: `\\x${caller.contractKey.slice(2)}`,
    created_at: createdAt.toISOString(),
    operation: `${request.method} ${route}`,
    status,
    code: problem?.code,
    request_id: requestId,
    token_id: caller.tokenId,
    caller: caller.actor,
    client_network: cutToNetwork(caller.clientAddress),
    errors: problem?.errors
      ?.slice(0, ERRORS_MAX)
      .map(({ pointer, code, detail }) => ({ pointer: withoutChosenNames(pointer, code), code, detail })),
  };
}

/** Callers choose the names of unknown fields and of metadata, which may be secrets, or not storable. */
function withoutChosenNames(pointer: string, code: FieldCode): string {
  const chosen =
    code === "unknown_field" ? /(?<=^\?).*|(?<=\/)[^/]*$/s : /(?<=^\/metadata\/|^\?metadata\[).*/s;
  return pointer.replace(chosen, "…");
}

function countDropped(reason: "queue" | "hour" | "database", rows: number): void {
  if (rows > 0) processMetrics()?.requestsNotKept.inc({ reason }, rows);
}

async function writeSoon(): Promise<void> {
  const log = queue();
  log.hurry = new AbortController();
  await sleep(EVERY_MS, undefined, { ref: false, signal: log.hurry.signal }).catch(() => undefined);
  const rows = log.waiting.splice(0);
  try {
    countDropped("hour", rows.length - (await storeRequests(database(), rows)));
  } catch (error) {
    logRarely("warn", "requests were not kept in the request log", error);
    countDropped("database", rows.length);
  }
  log.writing = log.waiting.length > 0 ? writeSoon() : undefined;
}

/** Writes what is queued now, in a process that is about to stop or to be frozen. */
export async function requestsKept(): Promise<void> {
  queue().hurry.abort();
  await queue().writing;
}

const WRITE_LOCK = { space: 7_262_546, key: 1 } as const;

/** Stores the oldest first, within each contract's bound per hour. Returns how many were within it. */
export async function storeRequests({ sql }: Database, rows: readonly KeptRequest[]): Promise<number> {
  const contracts = [...new Set(rows.map((row) => row.contract_address))];
  const addresses = addressArray(contracts.map((text) => Buffer.from(text.slice(2), "hex")));
  const hourOf = sql`date_trunc('hour', created_at, 'UTC')`;
  return await sql.begin(async (tx) => {
    // One writer at a time, so that several processes share the bound.
    await tx`select pg_advisory_xact_lock(${WRITE_LOCK.space}::int, ${WRITE_LOCK.key}::int)`;
    const { count } = await tx`
      with given as materialized (
        select *, ${hourOf} as hour, row_number() over (
          partition by contract_address, ${hourOf}, status = 401 order by created_at) as place_of_kind
        from jsonb_populate_recordset(null::request_log, ${JSON.stringify(rows)}::text::jsonb)
      ), stored as materialized (
        select contract_address, ${hourOf} as hour, count(*) as rows,
          count(*) filter (where status = 401) as unauthorized
        from request_log where contract_address = any(${addresses}::bytea[])
          and created_at >= date_trunc('hour', ${rows[0]!.created_at}::timestamptz, 'UTC') group by 1, 2
      ), bounded as (
        -- What is left out because of its token takes no place of another.
        select given.*, coalesce(rows, 0) + row_number() over (
          partition by contract_address, hour order by created_at) as place
        from given left join stored using (contract_address, hour)
        where status <> 401 or place_of_kind + coalesce(unauthorized, 0) <= ${UNAUTHORIZED_PER_HOUR_MAX}
      )
      insert into request_log (contract_address, created_at, operation, status, code, request_id, token_id,
        caller, client_network, errors)
      select contract_address, created_at, operation, status, code, request_id, token_id,
        caller, client_network, errors
      from bounded where place <= ${PER_HOUR_MAX}`;
    return count;
  });
}
