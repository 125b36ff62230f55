import type { Database } from "@/db/client";

type Value = string | number | boolean | null | readonly Value[] | { [name: string]: Value };
type UsedRow = Record<string, Value>;

const id = (number: number) => `00000000-0000-4000-8000-${String(number).padStart(12, "0")}`;
const bytes = (byte: string, length: number) => `\\x${byte.repeat(length)}`;
const hash = (byte: string) => bytes(byte, 32);
const [PAYER, FUNDED, FIRST, SECOND] = ["a1", "a2", "b1", "b2"].map((byte) => bytes(byte, 20)) as [
  string,
  string,
  string,
  string,
];
const day = (number: number, time = "00:00:00") => `2026-01-${String(number).padStart(2, "0")}T${time}Z`;
/** Everything that COPY must escape: tab, newline, backslash, its end marker, and lookalikes. */
const ODD = 'tab\t, line\n\\.\n, back\\slash, \\N, {"quoted", null}, zażółć 😀';

const batch = (seq: number, name: string, more: UsedRow): UsedRow => ({
  contract_address: PAYER,
  seq,
  id: name,
  point_type: "PHASE2_POINTS",
  status: "PENDING",
  transfer_count: 1,
  wait_seconds: 0,
  digest: hash("d1"),
  transfers_hash: hash("d2"),
  submitted_by: "token:payouts",
  submit_request_id: `request-${seq}`,
  keyless: false,
  created_at: day(seq),
  finalize_at: day(seq),
  awaits_approval: false,
  ...more,
});
const transfers = (seq: number, to: string[], points: string[]): UsedRow => ({
  contract_address: PAYER,
  batch_seq: seq,
  addresses: `\\x${to.map((address) => address.slice(2)).join("")}`,
  points,
});
const change = (number: number, kind: string, more: UsedRow): UsedRow => ({
  contract_address: FUNDED,
  id: id(number),
  kind,
  reason: ODD,
  proposed_at: day(1),
  proposed_by: "staff:a@example.com",
  decision: "APPROVED",
  decided_at: day(2),
  decided_by: "staff:b@example.com",
  ...more,
});
const account = (address: string, point_type: string, sums: UsedRow): UsedRow => ({
  ...{ address, point_type, earned: "0", received: "0", sent: "0", pending: "0", issued_last: "0" },
  ...sums,
});
const idBytes = (number: number) => `\\x${id(number).replaceAll("-", "")}`;
const snapshot = (number: number, status: string, more: UsedRow): UsedRow => ({
  ...{ id: id(number), name: "month 1, \\N", point_type: "PHASE2_POINTS", status },
  ...{ includes_contracts: false, as_of: day(8), requested_at: day(8), requested_by: "ops" },
  ...{ attempts: 1, holders: 0, points: "0" },
  ...more,
});
const allocation = (number: number, status: string, more: UsedRow): UsedRow => ({
  ...{ id: id(number), snapshot_id: id(80), name: "drop 1, \\N", rule: "PRO_RATA", decimals: 18, status },
  ...{
    minimum: "1",
    excluded: "\\x",
    requested_at: day(9),
    requested_by: "staff:a@example.com",
    attempts: 1,
  },
  ...more,
});
/** Of 700 to the first address and 300 to the second. */
const CLAIMS_ROOT = "\\xc9190a112fa425ac1c32f6b45110611134ae5d66942d3b62e3593b748103d2f6";
const CLAIM_LEAVES =
  "da6eb309d4ccf141fa9ab36e3bc8baed3b6d34c166cd647c6f34d116d077be93" +
  "4e2b144b8236f78026c85dbac029b433a5da21d1d49c5e6f0da14b6e22d70b50";
const UNISWAP_ROOT = "\\x2036b15c0fe50f44cb747502c6bd1298d8cce58e9e4076f19cbd55296cb8430d";
const SABLIER_ROOT = "\\xbb0d86692b49c4be883e1f447131303435e63a73a83cf38ba969e9a8efcb0a84";
const GOLD = "PHASE2_GOLD";
const RULE = "RULE PHASE2_POINTS 500.000000000000 900.000000000000 true";
const GRANT = "GRANT PHASE2_POINTS 100.000000000000";

/**
 * A row of every table and a value in every column, as a used installation has them. Its ledger balances, and
 * every worker finds something to do. Rows may be in any version of the schema: a column that it does not
 * have is left out.
 */
export const USED_ROWS: Record<string, UsedRow[]> = {
  batches: [
    batch(1, "settled", {
      status: "FINALIZED",
      points: "10.000000000001",
      transfer_count: 2,
      updated_at: day(1, "00:01:00"),
      claim_id: id(1),
      claimed_at: day(1, "00:00:30"),
      finalized_at: day(1, "00:01:00"),
    }),
    batch(2, "on-hold", {
      ...{ points: "5", held_at: day(2), held_by: "staff:a@example.com", hold_reason: ODD },
      held_for_payout: true,
      held_apart: true,
    }),
    batch(3, "cancelled", {
      status: "CANCELLED",
      points: "2",
      updated_at: day(3, "01:00:00"),
      cancelled_at: day(3, "01:00:00"),
      cancelled_by: "token:payouts",
      cancel_reason: ODD,
      cancel_request_id: "request-cancel",
    }),
    // Left by a finalizer that died.
    batch(4, "claimed", {
      status: "FINALIZING",
      points: "4",
      updated_at: day(4, "00:01:00"),
      claim_id: id(2),
      claimed_at: day(4, "00:01:00"),
      lease_until: day(4, "00:02:00"),
    }),
    batch(5, "approved", {
      points: "6",
      token_created_by: "staff:c@example.com",
      approval_need: "THRESHOLD",
      approved_at: day(5, "01:00:00"),
      approved_by: "staff:a@example.com",
    }),
    batch(6, "taken-back", {
      points: "3.000000000001",
      transfers_hash: null,
      reverses_seq: 1,
      reversal_reason: ODD,
    }),
    batch(7, "awaits", { points: "1", approval_need: "UNUSUAL", awaits_approval: true }),
  ],
  batch_transfers: [
    transfers(1, [FIRST, SECOND], ["7", "3.000000000001"]),
    transfers(2, [FIRST], ["5"]),
    transfers(3, [FIRST], ["2"]),
    transfers(4, [FIRST], ["4"]),
    transfers(5, [SECOND], ["6"]),
    transfers(6, [SECOND], ["3.000000000001"]),
    transfers(7, [SECOND], ["1"]),
  ],
  reversed_transfers: [
    { contract_address: PAYER, batch_seq: 1, to_address: SECOND, reversal_seq: 6, points: "3.000000000001" },
  ],
  transfer_references: [
    { contract_address: PAYER, batch_seq: 1, position: 0, reference: "order-1", is_live: true },
    { contract_address: PAYER, batch_seq: 3, position: 0, reference: "order-2", is_live: false },
  ],
  batch_metadata: [
    { contract_address: PAYER, batch_seq: 1, key: "campaign", value: "zażółć 😀", created_at: day(1) },
  ],
  batch_corrections: [{ contract_address: PAYER, batch_seq: 4, corrects_seq: 3 }],
  batch_notes: [
    {
      ...{ id: id(3), contract_address: PAYER, batch_seq: 3, created_at: day(3) },
      ...{ written_by: "staff:a@example.com", text: ODD },
    },
  ],
  batch_roots: [{ contract_address: PAYER, batch_seq: 1, root: hash("e1") }],
  batch_reviews: [
    {
      ...{ contract_address: PAYER, batch_seq: 7, created_at: day(7), reviewed_at: day(7, "00:01:00") },
      ...{ level: "unusual", findings: [{ kind: "amount", text: ODD }] },
    },
  ],
  review_progress: [{ singleton: true, created_at: day(7), batch_seq: 7 }],
  batch_uploads: [
    {
      ...{ contract_address: PAYER, batch_seq: 2, upload_id: id(4) },
      ...{ part: 1, part_count: 2, file_name: "payouts\\N.csv" },
    },
  ],
  payout_parts: [
    {
      ...{ contract_address: PAYER, batch_seq: 2, payout_id: "payout-1", part: 1 },
      ...{ part_count: 2, file_name: "payouts\\N.csv", read_as: "Addresses from “to\\N”." },
    },
    { contract_address: PAYER, batch_seq: 4, payout_id: "season-3" },
  ],
  recipient_transfers: [
    { to_address: FIRST, created_at: day(1), contract_address: PAYER, batch_seq: 1, points: "7" },
    {
      to_address: SECOND,
      created_at: day(1),
      contract_address: PAYER,
      batch_seq: 1,
      points: "3.000000000001",
    },
  ],
  recipient_progress: [{ singleton: true, created_at: day(1), batch_seq: 1 }],
  recipient_labels: [{ address: FIRST, label: "Zoë's wallet \\N" }],
  contracts: [
    { address: PAYER, label: ODD, issuance: "ON_DEMAND", created_at: day(1) },
    {
      ...{ address: FUNDED, label: "Funded", operator_address: SECOND, issuance: "PREFUNDED" },
      ...{ created_at: day(1), default_wait_seconds: 7200, key_required: true, approval_required: true },
      ...{ applied_change_id: id(12), applied_decision: "APPROVED" },
      ...{ applied_effect: "ISSUANCE PREFUNDED", applied_at: day(2) },
    },
  ],
  contract_changes: [
    change(10, "RULE", {
      ...{ point_type: "PHASE2_POINTS", threshold: "500", on_unusual: true, day_threshold: "900" },
    }),
    change(11, "GRANT", { point_type: "PHASE2_POINTS", points: "100", decision_reason: ODD }),
    change(12, "ISSUANCE", { issuance: "PREFUNDED" }),
    change(13, "OPERATOR", {
      ...{ operator_address: FIRST, operator_before: SECOND },
      ...{ decision: null, decided_at: null, decided_by: null },
    }),
    change(14, "WAIT", { wait_seconds: 7200 }),
  ],
  approval_rules: [
    {
      ...{ contract_address: FUNDED, point_type: "PHASE2_POINTS", threshold: "500", on_unusual: true },
      ...{ day_threshold: "900", day: "2026-01-02", day_points: "0", applied_change_id: id(10) },
      ...{ applied_effect: RULE, applied_at: day(2) },
    },
  ],
  issuances: [
    ...[
      { id: 1, batch_seq: 1, points: "10.000000000001" },
      { id: 2, batch_seq: 2, points: "5" },
      { id: 3, batch_seq: 3, points: "2" },
      { id: 4, batch_seq: 4, points: "2" },
      { id: 5, batch_seq: 5, points: "6" },
      { id: 6, batch_seq: 7, points: "1" },
    ].map((row) => ({
      ...{ ...row, contract_address: PAYER, point_type: "PHASE2_POINTS", created_at: day(row.batch_seq) },
    })),
    {
      ...{ id: 7, contract_address: FUNDED, point_type: "PHASE2_POINTS", points: "100", created_at: day(2) },
      ...{ granted_by: "staff:a@example.com", approved_by: "staff:b@example.com", change_id: id(11) },
      ...{ change_effect: GRANT, change_decided_at: day(2) },
    },
  ],
  accounts: [
    account(PAYER, "PHASE2_POINTS", {
      ...{ earned: "26.000000000001", sent: "10.000000000001", pending: "16", issued_last: "1" },
    }),
    account(PAYER, GOLD, {}),
    account(FUNDED, "PHASE2_POINTS", { earned: "100" }),
    account(FUNDED, GOLD, {}),
    account(FIRST, "PHASE2_POINTS", { received: "7" }),
    account(SECOND, "PHASE2_POINTS", { received: "3.000000000001", pending: "3.000000000001" }),
  ],
  access_tokens: [
    {
      ...{ id: id(20), token_hash: hash("f1"), contract_address: PAYER, name: ODD, token_end: "wxyz" },
      ...{ scopes: ["batches:read", "batches:write"], created_by: "staff:a@example.com", created_at: day(1) },
      ...{ expires_at: day(30), last_used_at: day(3), revoked_at: day(4) },
    },
  ],
  operator_tokens: [
    {
      ...{ contract_address: FUNDED, token_hash: hash("f2"), operator_address: SECOND },
      ...{ created_at: day(1), expires_at: "2126-01-01T00:00:00Z" },
    },
  ],
  spent_challenges: [{ nonce: "nonce", expires_at: "2126-01-01T00:00:00Z" }],
  staff: [
    {
      ...{ id: id(30), email: "a@example.com", role: "admin", password_hash: "$hash\\N$", session_epoch: 3 },
      ...{ unconfirmed_by: ["staff:b@example.com", 'staff:"\\,{}'], created_at: day(1) },
      ...{ last_sign_in_at: day(2) },
    },
    {
      ...{ id: id(31), email: "b@example.com", role: "viewer", unconfirmed_by: [], session_epoch: 0 },
      ...{ created_at: day(1), disabled_at: day(2) },
    },
  ],
  staff_invitations: [
    {
      ...{ token_hash: hash("f3"), staff_id: id(30), origin: "sign-in", created_at: day(1) },
      ...{ expires_at: "2126-01-01T00:00:00Z", ended: "used", used_at: day(2) },
    },
  ],
  staff_sessions: [
    {
      ...{ id: id(32), staff_id: id(30), epoch: 3, device: "Firefox on Windows" },
      ...{ created_at: day(1), last_used_at: day(2) },
    },
  ],
  saved_views: [
    { id: id(33), staff_id: id(30), name: ODD, query: "status=PENDING&x=%5C", created_at: day(2) },
  ],
  audit_log: [
    {
      ...{ id: 1, at: day(1), actor: "ops", action: "contract.register", target: ODD },
      ...{ detail: { odd: ODD, none: null }, request_id: "request-1" },
    },
    { id: 2, at: day(1), actor: "ops", action: "contract.register", target: "", detail: {} },
  ],
  rate_limits: [{ key: "token:x", points: 1, expire: 4_102_444_800_000 }],
  alerts: [
    {
      ...{ id: id(40), kind: "batch_unusual", subject: ODD, severity: "warning", title: ODD, remedy: ODD },
      ...{ path: "/batches", due_at: day(8), started_at: day(7), cleared_at: day(8), ended_at: day(9) },
      ...{ returns: 2, webhook_sent: "end", email_sent: "start" },
    },
  ],
  alert_views: [{ alert_id: id(40), seen_by: "staff:a@example.com", seen_at: day(8) }],
  alert_jobs: [
    { name: "email", next_at: day(8), failures: 2, failure: ODD, succeeded_at: day(7) },
    { name: "look", next_at: day(8), failures: 0 },
  ],
  bulk_jobs: [
    {
      ...{ id: id(50), action: "cancel", filters: { text: ODD }, frozen_at: day(2) },
      ...{ created_by: "staff:a@example.com", item_count: 1, reason: ODD, request_id: "request-1" },
      ...{ started_at: day(2), finished_at: day(2), stopped_by: "service", claim_id: id(51) },
      ...{ lease_until: day(2, "00:01:00") },
    },
    {
      ...{ id: id(52), action: "reverse", filters: {}, frozen_at: day(2), item_count: 1 },
      ...{ created_by: "staff:a@example.com", wait_seconds: 60, needs: { PHASE2_POINTS: "DAY" } },
    },
  ],
  bulk_job_items: [
    {
      ...{ job_id: id(50), position: 0, contract_address: PAYER, batch_id: "settled", points: "5" },
      ...{ point_type: "PHASE2_POINTS", transfer_count: 2, result: "OVERTAKEN", result_at: day(2) },
      ...{ why: "FINALIZED", why_by: "service", why_at: day(1, "00:01:00") },
    },
  ],
  webhook_endpoints: [
    {
      ...{ contract_address: PAYER, id: id(60), url: "https://example.com/hook", secret_sealed: hash("c1") },
      ...{ events: ["batch.created", "batch.finalized"], previous_secret_sealed: hash("c2") },
      ...{ previous_secret_until: day(9), created_by: "staff:a@example.com", created_at: day(1) },
      ...{ disabled_at: day(8), disabled_reason: "failures", failing_since: day(6), failures: 9 },
      ...{ first_delivered_at: day(2), paused_until: day(7) },
    },
  ],
  webhook_deliveries: [
    {
      ...{ contract_address: PAYER, id: id(61), endpoint_id: id(60), event: "batch.finalized", batch_seq: 1 },
      ...{ event_at: day(1), attempts: 3, delivered_at: day(2), last_attempt_at: day(2) },
      ...{ last_status_code: 500, last_duration_ms: 12, last_failure: ODD, next_attempt_at: null },
    },
    {
      ...{
        contract_address: PAYER,
        id: id(62),
        endpoint_id: id(60),
        event: "webhook.test",
        event_at: day(1),
      },
      ...{ attempts: 0, next_attempt_at: day(2), claim_id: id(63) },
    },
  ],
  request_log: [
    {
      ...{ contract_address: PAYER, created_at: day(1), id: 1, operation: "PUT /batches", status: 400 },
      ...{ code: "validation_failed", request_id: "request-1", token_id: id(20), caller: "token:payouts" },
      ...{ client_network: "unknown", errors: [{ pointer: "/points", code: "invalid", detail: ODD }] },
    },
  ],
  ledger_checks: [
    {
      ...{ id: 1, started_by: "ops", reach: "incremental", started_at: day(2), finished_at: day(2) },
      ...{ is_ok: false, batches: 1, transfers: 2, accounts: 6, totals: [{ pointType: GOLD, earned: "0" }] },
      ...{ findings: [{ rule: "sums_balance", detail: ODD }] },
    },
  ],
  ledger_checkpoint: [
    {
      ...{ singleton: true, horizon: day(1, "12:00:00"), issuance_id: 1, slices: 4, slices_done: 1 },
      ...{ batch_seq_max: 1, round_started_at: day(1), round_finished_at: day(1) },
    },
  ],
  ledger_checkpoint_accounts: [
    { address: PAYER, earned: "10.000000000001", received: "0", sent: "10.000000000001" },
    { address: FIRST, earned: "0", received: "7", sent: "0" },
    { address: SECOND, earned: "0", received: "3.000000000001", sent: "0" },
  ].map((row) => ({ ...row, point_type: "PHASE2_POINTS" })),
  ledger_days: [{ day: "2025-12-31", previous_hash: hash("00"), totals: [{ odd: ODD }], hash: hash("01") }],
  // The holdings after the first batch. Another snapshot was being taken, and one could not be taken.
  snapshots: [
    snapshot(80, "TAKEN", {
      ...{ contract_address: PAYER, holders: 2, points: "10.000000000001", left_out: "0" },
      ...{ ledger_total: "10.000000000001", finished_at: day(8, "00:00:01"), claim_id: id(81) },
      figures: { odd: ODD },
      ...{ digest: "\\xdd2cd49d05e543c011872932b147236847b9bd5e3cb5880a50b276119e8a09a6" },
    }),
    snapshot(82, "RUNNING", { holders: 1, points: "7", attempts: 1, claim_id: id(83) }),
    snapshot(84, "FAILED", { failure: ODD, finished_at: day(8), attempts: 5 }),
  ],
  snapshot_holders: [
    {
      ...{ snapshot_id: idBytes(80), first_address: FIRST, addresses: `${FIRST}${SECOND.slice(2)}` },
      ...{ points: ["7", "3.000000000001"] },
    },
    { snapshot_id: idBytes(82), first_address: FIRST, addresses: FIRST, points: ["7"] },
  ],
  // Made of the first snapshot and published. Another one was being made, and one could not be made.
  allocations: [
    allocation(90, "READY", {
      ...{ total: "1000", excluded: PAYER, claims: 2, without_claim: 0, sum: "1000", dust: "1" },
      ...{ smallest: "300", median: "300", largest: "700", worker_id: id(91), payer: "SAFE" },
      ...{ root: CLAIMS_ROOT, uniswap_root: UNISWAP_ROOT, sablier_root: SABLIER_ROOT },
      ...{ finished_at: day(9), published_at: day(10), published_by: "staff:b@example.com" },
    }),
    allocation(92, "RUNNING", { total: "1000", worker_id: id(93) }),
    allocation(94, "FAILED", {
      ...{ rule: "FIXED_RATE", rate: "0.5", failure: ODD, finished_at: day(9), attempts: 5 },
    }),
  ],
  allocation_claims: [
    {
      ...{ allocation_id: idBytes(90), first_index: 0, first_address: FIRST, is_published: true },
      ...{ addresses: `${FIRST}${SECOND.slice(2)}`, amounts: ["700", "300"], positions: [2, 1] },
    },
  ],
  allocation_nodes: [{ allocation_id: idBytes(90), first_node: 0, hashes: `${CLAIMS_ROOT}${CLAIM_LEAVES}` }],
  finalizer_runs: [
    {
      ...{ id: id(70), started_by: "cron", started_at: day(1), finished_at: day(1), failure: ODD },
      ...{ batches_finalized: 1, transfers_settled: 2, lag_seconds_max: 60 },
    },
  ],
  finalizer_heartbeat: [
    { singleton: true, last_tick_at: day(1), batches_finalized: 1, transfers_settled: 2 },
  ],
};

interface Column {
  table: string;
  column: string;
  isGenerated: boolean;
}

/** Every column of every table. */
export const columnsOf = async ({ sql }: Database): Promise<Column[]> => [
  ...(await sql<Column[]>`
    select c.relname::text as table, a.attname::text as column, a.attgenerated <> '' as "isGenerated"
    from pg_class c join pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped
    where c.relkind in ('r', 'p') and c.relnamespace = 'public'::regnamespace
    order by 1, a.attnum`),
];

/** Rows with this column are of a kind that came with it. An earlier version would refuse them. */
const LATER_KINDS: Record<string, string> = { bulk_jobs: "wait_seconds", contract_changes: "wait_seconds" };

/** Stores the rows in the tables and columns that the database has, as if the service had been used. */
export async function useEveryTable(db: Database): Promise<void> {
  const { sql } = db;
  const columns = (await columnsOf(db)).filter(({ isGenerated }) => !isGenerated);
  await sql.begin(async (tx) => {
    // As the rows of the first tables refer to those of later ones.
    await tx`set local session_replication_role = replica`;
    for (const [table, rows] of Object.entries(USED_ROWS)) {
      const own = columns.filter((each) => each.table === table).map(({ column }) => column);
      if (own.length > 0) await tx.unsafe(`delete from ${table}`);
      const later = LATER_KINDS[table];
      for (const row of own.length > 0 ? rows : []) {
        if (later && later in row && !own.includes(later)) continue;
        const given = own.filter((column) => column in row).join(", ");
        await tx.unsafe(
          `insert into ${table} (${given}) overriding system value
          select ${given} from jsonb_populate_record(null::${table}, $1::text::jsonb)`,
          [JSON.stringify(row)],
        );
      }
    }
  });
  // The sequences continue after the rows.
  await sql`
    select setval(pg_get_serial_sequence(attrelid::regclass::text, attname), 100)
    from pg_attribute where attidentity <> '' and attnum > 0
      and attrelid::regclass::text = any(${Object.keys(USED_ROWS)})`;
}

/** The columns, as `table.column`, that hold no value in any row. */
export async function unusedColumns(db: Database): Promise<string[]> {
  const unused = [];
  for (const { table, column } of await columnsOf(db)) {
    const [row] = await db.sql.unsafe(`select count(${column})::int as count from ${table}`);
    if (row!.count === 0) unused.push(`${table}.${column}`);
  }
  return unused;
}

/** Each table's number of rows and a hash over them. @param columns those to compare; all when absent */
export async function tableHashes(db: Database, columns?: readonly Column[]) {
  const compared = columns ?? (await columnsOf(db));
  const hashes: Record<string, { rows: number; hash: string }> = {};
  for (const table of new Set(compared.map((each) => each.table))) {
    const own = compared.filter((each) => each.table === table).map(({ column }) => column);
    const [found] = await db.sql.unsafe<{ rows: number; hash: string }[]>(`
      select count(*)::int as rows, md5(coalesce(string_agg(line, '' order by line collate "C"), '')) as hash
      from (select md5(row(${own.join(", ")})::text) as line from ${table}) as lines`);
    hashes[table] = found!;
  }
  return hashes;
}
