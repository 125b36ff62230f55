import { beforeAll, expect, test } from "vitest";
import { createDatabase, type Database } from "@/db/client";
import { lookForAlerts } from "@/server/alerts/watch";
import { makeAllocations } from "@/server/allocations/make-allocation";
import { workBulk } from "@/server/batches/bulk/work-bulk";
import { catchUpReviews } from "@/server/batches/review/review-new-batches";
import { deleteExpired } from "@/server/finalizer/delete-expired";
import { finalizeDueBatches } from "@/server/finalizer/finalize-due-batches";
import { catchUpRecipients } from "@/server/ledger/index-recipients";
import { isCheckDue } from "@/server/ledger/run-check";
import { takeSnapshots } from "@/server/snapshots/take-snapshot";
import { deliverDueWebhooks } from "@/server/webhooks/deliver-due";
import { withoutTriggers } from "@/testing/factories";
import { useLedger } from "@/testing/use-ledger";
import { RULES } from "@/testing/webhook-world";

const { db, useContract, submit } = useLedger({ balances: false });
const contract = useContract();

/** Of each kind. The statistics say fifty times as many, so that plans are those of a million. */
const ROWS = 20_000;
const PRETENDED_TIMES = 50;
const ROWS_READ_MAX = 500;
/** Alerts look for a failure among the last runs. */
const RUNS_READ_MAX = 5000;
/** From the sixth on, Postgres may keep a plan that fits any values. */
const TICKS = 10;

const TABLES = [
  "accounts",
  "alerts",
  "audit_log",
  "batch_reviews",
  "batch_transfers",
  "batches",
  "bulk_job_items",
  "finalizer_runs",
  "recipient_transfers",
  "request_log",
  "webhook_deliveries",
];

beforeAll(async () => {
  await withoutTriggers(
    db,
    `create temporary table made as
       select n, substring(sha256((n % 500)::text::bytea) for 20) as contract,
         substring(sha256((n % 9000)::text::bytea) for 20) as wallet,
         now() - (${ROWS} - n) * interval '20 seconds' as at
       from generate_series(1, ${ROWS}) n;
     insert into contracts (address, label) select distinct contract, 'A contract' from made;
     insert into batches (contract_address, id, point_type, status, points, transfer_count, wait_seconds,
         digest, submitted_by, submit_request_id, created_at, finalize_at, updated_at, finalized_at)
       select contract, 'b-' || n, 'PHASE2_POINTS', 'FINALIZED', 1, 1, 60, sha256(n::text::bytea),
         'token:test', 'r', at, at, at, at from made order by contract, n;
     insert into batch_transfers (batch_seq, contract_address, addresses, points)
       select b.seq, b.contract_address, m.wallet, array[1] from batches b join made m on b.id = 'b-' || m.n;
     insert into recipient_transfers (to_address, created_at, batch_seq, contract_address, points)
       select t.addresses, b.created_at, b.seq, b.contract_address, 1
       from batches b join batch_transfers t on t.batch_seq = b.seq;
     insert into accounts (address, point_type, earned, sent)
       select contract, 'PHASE2_POINTS', 1000, count(*) from made group by 1 on conflict do nothing;
     insert into accounts (address, point_type, received)
       select wallet, unnest(enum_range(null::point_type)), count(*) from made group by 1
       on conflict do nothing;
     update recipient_progress set (created_at, batch_seq) =
       (select created_at, seq from batches order by created_at desc, seq desc limit 1);
     insert into review_progress (created_at, batch_seq) select created_at, batch_seq from recipient_progress;
     insert into batch_reviews (contract_address, batch_seq, created_at, level, findings, reviewed_at)
       select contract_address, seq, created_at, 'unusual', '{}', created_at from batches;
     update batch_reviews set due_at = null;
     insert into webhook_endpoints (contract_address, url, events, secret_sealed, created_by)
       select address, 'https://example.com/', array['batch.created'], '\\x00', 'test' from contracts;
     insert into webhook_deliveries (contract_address, endpoint_id, event, event_at, next_attempt_at,
         delivered_at)
       select contract_address, e.id, 'webhook.test', at, null, at
       from made m join webhook_endpoints e on e.contract_address = m.contract;
     insert into request_log (contract_address, created_at, operation, status, request_id, caller,
         client_network)
       select contract, at, 'submitBatch', 422, 'r', 'token:test', '192.0.2.0' from made;
     insert into audit_log (at, actor, action, target) select at, 'ops', 'batch.hold', 'b-' || n from made;
     insert into finalizer_runs (started_by, started_at, finished_at, batches_finalized, transfers_settled,
         lag_seconds_max)
       select 'scheduler', at, at, 1, 1, 0 from made;
     insert into alerts (kind, subject, severity, title, remedy, path, started_at, cleared_at, ended_at,
         webhook_sent, email_sent)
       select 'batch', n::text, 'warning', 't', 'r', '/', at, at, at, 'end', 'end' from made;
     insert into bulk_jobs (id, action, frozen_at, created_by, item_count, reason, started_at, lease_until,
         finished_at)
       values (gen_random_uuid(), 'hold', now(), 'staff:a', ${ROWS}, 'odd', now(), now(), now());
     insert into bulk_job_items (job_id, position, contract_address, batch_id, point_type, points,
         transfer_count, result, result_at)
       select j.id, n, contract, 'b-' || n, 'PHASE2_POINTS', 1, 1, 'DONE', at from made, bulk_jobs j`,
  );
  await db.sql.unsafe(`vacuum analyze ${TABLES.join(", ")}, contracts, webhook_endpoints`);
  await db.sql`
    update pg_class set reltuples = reltuples * ${PRETENDED_TIMES}::int
    where oid = any(${TABLES}::regclass[]) or oid in (
      select indexrelid from pg_index where indrelid = any(${TABLES}::regclass[]))`;
});

/** What each connection of the service's worker does again and again. */
const JOBS: [name: string, work: (on: Database) => Promise<unknown>][] = [
  ["the finalizer", (on) => finalizeDueBatches(on, { budgetSeconds: 20, startedBy: "test" })],
  ["the index by recipient", (on) => catchUpRecipients(on, 20)],
  ["reviews", (on) => catchUpReviews(on, 20)],
  ["the clean-up", (on) => deleteExpired(on)],
  ["webhooks", (on) => deliverDueWebhooks(on, { budgetSeconds: 20, ...RULES })],
  ["bulk jobs", (on) => workBulk(on, { budgetSeconds: 20 })],
  ["snapshots", (on) => takeSnapshots(on)],
  ["allocations", (on) => makeAllocations(on)],
  ["the self-check", (on) => isCheckDue(on, 24)],
  ["alerts", lookAgain],
];

async function lookAgain(on: Database): Promise<void> {
  await on.sql`delete from alert_jobs`;
  await lookForAlerts(on);
}

/** The rows that tables and indexes gave a connection so far. A connection reports them when it is asked. */
async function rowsRead({ sql }: Database): Promise<Map<string, number>> {
  await sql`select pg_stat_force_next_flush()`;
  const rows = await sql<{ name: string; rows: number }[]>`
    select t.relname as name, (t.seq_tup_read + i.read)::int as rows
    from pg_stat_user_tables t cross join lateral (
      select coalesce(sum(idx_tup_read), 0) as read from pg_stat_user_indexes where relid = t.relid) as i
    where t.relname = any(${TABLES})`;
  return new Map(rows.map(({ name, rows }) => [name, rows]));
}

test.each(["nothing to do", "a batch to finalize, index and review"])(
  "at a million rows of each kind no statement of the worker reads more than it works on, with %s",
  async (state) => {
    const on = createDatabase({ url: db.url, poolMax: 1, timeoutSeconds: 30, pooler: "none" });
    const tooMany: string[] = [];
    try {
      for (let tick = 0; tick < TICKS; tick++) {
        if (state !== "nothing to do") await submit(contract, [[tick + 1, "1"]]);
        for (const [job, work] of JOBS) {
          const before = await rowsRead(on);
          await work(on);
          for (const [table, rows] of await rowsRead(on)) {
            const read = rows - before.get(table)!;
            if (read > (table === "finalizer_runs" ? RUNS_READ_MAX : ROWS_READ_MAX))
              tooMany.push(`${job}: ${read} rows of ${table}`);
          }
        }
      }
    } finally {
      await on.close();
    }
    expect(new Set(tooMany)).toEqual(new Set());
    const waiting = await db.sql`select from batches where status <> 'FINALIZED'
      or (created_at, seq) > (select created_at, batch_seq from recipient_progress)
      or (created_at, seq) > (select created_at, batch_seq from review_progress)`;
    expect(waiting).toHaveLength(0);
  },
);
