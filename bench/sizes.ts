import { rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import type { Database } from "@/db/client";
import { FILES } from "@/server/allocations/files/files";
import { publishAllocation } from "@/server/allocations/publish-allocation";
import { ALLOCATIONS_MAX } from "@/server/allocations/schema";
import { addressFromBytes } from "@/server/kernel/address-bytes";
import { grantPoints } from "@/server/ledger/issuances";
import { allocationOf, snapshotOf, staffContext, testContext, withoutTriggers } from "@/testing/factories";
import { type BuiltApp, launchBuiltApp, newToken } from "@/testing/launch-app";
import { signInTo } from "@/testing/sign-in";
import { type BenchOptions, short, table } from "./measure";
import { type BenchDatabase, balanceSeeded, seedBatches, seedPayout, type World } from "./world";

const BATCHES = 1_000_000;
const PARTS = 5000;
const HOLDERS = 1_000_000;
const WALLETS = 10;
const CARDS = 5000;
const ENTRIES = 1_000_000;
const SIZES = {
  batches: "1,000,000 batches",
  parts: "5,000 batches of a payout",
  holders: "1,000,000 holders",
  wallet: "100,000 transfers of a wallet",
  cards: "5,000 cards",
  audit: "1,000,000 entries of the audit log",
};
/** What takes longer shows progress from then on: a job has counts, a file arrives, a command prints. */
const SECONDS_MAX = { page: 1, answer: 5, progress: 5 };
const JOB_SECONDS_MAX = 600;
const POINT_TYPE = "PHASE2_POINTS";
const DAY_MS = 86_400_000;
const FIRST_CONTRACT = `0xbe${"1".padStart(38, "0")}`;

type Size = keyof typeof SIZES;
type Kind = keyof typeof SECONDS_MAX;

/** Runs a verb. @throws Error if the answer is an error or is not whole */
type Run = () => Promise<unknown>;

/** Tries each verb that reads or writes many rows at the size that it is built for, through its own door. */
export async function benchSizes({ wants }: BenchOptions, world: World): Promise<string> {
  const seeded = await world.newDatabase("sizes_seeded");
  await seed(seeded.db);
  await seeded.db.close();
  const made = await world.newDatabase("sizes", "sizes_seeded");
  const app = await launchBuiltApp({
    environment: {
      DATABASE_URL: made.url,
      AUTH_SECRET: "auth-secret-of-this-bench-run",
      PUBLIC_RECEIPTS: "on",
      MINIMUM_FINALIZE_SECONDS: "1",
    },
  });
  world.atEnd(() => app.stop());
  await app.ready();
  const slowest = new Map<string, { seconds: number; name: string }>();
  const counts = new Map<Size, number>();
  const attempt = async (size: Size, kind: Kind, name: string, run: Run) => {
    if (!wants(`${size} ${kind} ${name}`)) return;
    const startedAt = performance.now();
    let firstAt = 0;
    const failure = await run().then(
      (at) => {
        firstAt = typeof at === "number" ? at : performance.now();
      },
      (error: Error) => error.message,
    );
    const [seconds, waited] = [performance.now() - startedAt, firstAt - startedAt].map((ms) => ms / 1000);
    const isLate = waited! > SECONDS_MAX[kind];
    if (failure || isLate) process.exitCode = 1;
    console.log(
      `  ${[size, kind, name, `${short(seconds!)} s`, failure ?? (isLate ? "LATE" : "")].join(" | ")}`,
    );
    counts.set(size, (counts.get(size) ?? 0) + 1);
    const before = slowest.get(`${size} ${kind}`);
    if (!before || before.seconds < seconds!) slowest.set(`${size} ${kind}`, { seconds: seconds!, name });
  };
  await tryAll(attempt, app, made, world);
  const cell = (size: Size, kind: Kind) => {
    const found = slowest.get(`${size} ${kind}`);
    return found ? `${short(found.seconds)} s, ${found.name}` : "";
  };
  const rows = (Object.keys(SIZES) as Size[]).map((size) => [
    SIZES[size],
    String(counts.get(size) ?? 0),
    ...(["page", "answer", "progress"] as const).map((kind) => cell(size, kind)),
  ]);
  return table(["at", "verbs", "slowest page", "slowest answer", "longest with progress"], rows);
}

/** Once: a database that is kept has everything. */
async function seed(db: Database): Promise<void> {
  const { sql } = db;
  const [stored] = await sql`select 1 from allocations limit 1`;
  if (stored) return;
  const callers = await seedBatches(db, {
    batches: BATCHES,
    transfersEach: 1,
    recipients: WALLETS,
    due: false,
  });
  await sql`update contracts set created_at = created_at - interval '120 days'`;
  const points = "1000000000000000000";
  for (const { contractAddress } of callers)
    await grantPoints(testContext(db), { contractAddress, pointType: "PHASE2_GOLD", points });
  const file = { contract: FIRST_CONTRACT, batches: PARTS };
  await seedPayout(db, { ...file, id: "paid", transfersEach: HOLDERS / PARTS, paid: true });
  await seedPayout(db, { ...file, id: "checked", transfersEach: 1, paid: false });
  await withoutTriggers(
    db,
    `update batches set approval_need = 'THRESHOLD', awaits_approval = true
     where seq in (
       select seq from batches where status = 'PENDING' and held_at is null order by seq limit ${CARDS})`,
  );
  await sql`
    insert into audit_log (at, actor, action, target, detail, request_id)
    select now() - (${ENTRIES}::int - n) * interval '1 second', 'staff:person' || n % 20 || '@example.com',
      'batch.cancel', 'batch:0x' || lpad(to_hex(n % 1000), 40, '0') || '/seed-' || n, '{}', 'seed-' || n
    from generate_series(1, ${ENTRIES}::int) as n`;
  await balanceSeeded(db);
  // Of few holders, so that a wallet has a claim in as many allocations as its page shows.
  const snapshot = await snapshotOf(db, { pointType: "PHASE2_GOLD" });
  for (let at = 0; at < ALLOCATIONS_MAX; at++) {
    const request = { snapshotId: snapshot.id, name: `Drop ${at}`, decimals: 18 };
    const { id } = await allocationOf(db, { ...request, rule: "FIXED_RATE", rate: String(at + 1) });
    await publishAllocation(staffContext(db), { allocationId: id });
  }
  await sql`vacuum analyze`;
}

type Attempt = (size: Size, kind: Kind, name: string, run: Run) => Promise<void>;

async function tryAll(attempt: Attempt, app: BuiltApp, { db }: BenchDatabase, world: World): Promise<void> {
  const { cookie } = await signInTo(app);
  const contractAddress = FIRST_CONTRACT;
  const token = await newToken(app, contractAddress);
  const [{ wallet }] = await db.sql<[{ wallet: Buffer }]>`
    select to_address as wallet from recipient_transfers order by batch_seq limit 1`;
  const address = addressFromBytes(wallet);
  const rowsOf = async (table: string, where = "true") =>
    (await db.sql.unsafe<{ count: number }[]>(`select count(*)::int from ${table} where ${where}`))[0]!.count;

  /** @throws Error with the reply, unless it is what was asked for */
  const open = async (path: string, init: RequestInit = {}) => {
    const reply = await fetch(`${app.url}${path}`, { ...init, headers: { Cookie: cookie, ...init.headers } });
    if (!reply.ok) throw new Error(`${reply.status}: ${(await reply.text()).slice(0, 400)}`);
    return reply;
  };
  const read = async (name: string, input?: unknown) => {
    const query = input === undefined ? "" : `?input=${encodeURIComponent(JSON.stringify(input))}`;
    return (await (await open(`/api/trpc/console.${name}${query}`)).json()).result.data;
  };
  const change = async (name: string, input: unknown) => {
    const headers = { "Content-Type": "application/json", Origin: app.url };
    const init = { method: "POST", headers, body: JSON.stringify(input) };
    return (await (await open(`/api/trpc/console.${name}`, init)).json()).result.data;
  };
  const rest = (path: string, init: RequestInit = {}) =>
    open(`/v1/contracts/${contractAddress}${path}`, {
      ...init,
      headers: { Authorization: `Bearer ${token}`, "Content-Type": "application/json" },
    });
  /** @param lines that a whole file has @returns when the first byte came */
  const download = async (path: string, lines?: number) => {
    const reply = await open(path);
    let [firstAt, found] = [0, 0];
    let last = 0;
    for await (const chunk of reply.body as unknown as AsyncIterable<Uint8Array>) {
      firstAt ||= performance.now();
      for (const byte of chunk) if (byte === 10) found++;
      last = chunk.at(-1) ?? last;
    }
    if (lines !== undefined && found !== lines) throw new Error(`${found} lines for ${lines}`);
    if (!last) throw new Error("nothing arrived");
    return firstAt;
  };
  /** @returns when the job was requested */
  const untilDone = async (look: () => Promise<{ status: string; failure?: string | null }>) => {
    const requestedAt = performance.now();
    for (;;) {
      const { status, failure } = await look();
      if (status === "FAILED") throw new Error(String(failure));
      if (status !== "RUNNING") return requestedAt;
      if (performance.now() - requestedAt > JOB_SECONDS_MAX * 1000) throw new Error("the job does not end");
      await sleep(200);
    }
  };
  const page = (size: Size, name: string, input?: unknown) =>
    attempt(size, "page", name, () => read(name, input));
  const answer = (size: Size, name: string, input?: unknown) =>
    attempt(size, "answer", name, () => read(name, input));

  const ofContract = { contractAddress };
  const day = (daysAgo: number) => new Date(Date.now() - daysAgo * DAY_MS).toISOString();
  const keys = Array.from({ length: 50 }, (_, at) => `${contractAddress}/seed-${at * 16}`);
  const lists: Record<string, object> = {
    all: {},
    pending: { statuses: ["PENDING"], sort: "DUE" },
    "of a contract": { ...ofContract, sort: "ASC" },
    largest: { sort: "AMOUNT_DESC" },
    searched: { ...ofContract, minimumPoints: "900" },
    "by ID": { idPrefix: "seed-9" },
    "by recipient": { recipient: address },
    blocked: { awaitingApproval: true },
  };
  for (const [name, input] of Object.entries(lists))
    await attempt("batches", "page", `batches.list ${name}`, () => read("batches.list", input));
  await page("batches", "batches.newer", { newerThan: { createdAt: day(1) } });
  await page("batches", "batches.refresh", { keys });
  await page("batches", "search.find", { text: "seed-99" });
  await attempt("batches", "page", "GET /v1 batches", () => rest("/batches?limit=200"));
  await page("batches", "contracts.search", {});
  await page("batches", "contracts.get", ofContract);
  await page("batches", "operations.state");
  for (const filters of [{}, ofContract, { statuses: ["PENDING"], createdAfter: day(60) }]) {
    await answer("batches", "batches.totals", filters);
    await answer("batches", "batches.facets.menus", filters);
  }
  const dayStarts = Array.from({ length: 31 }, (_, at) => day(30 - at));
  await answer("batches", "contracts.pointsPerDay", { ...ofContract, dayStarts });
  await answer("batches", "contracts.setup", ofContract);
  await answer("batches", "contracts.keylessPosts", ofContract);
  await answer("batches", "forecast.get", ofContract);
  await answer("batches", "operations.load");
  for (const range of ["1h", "24h", "7d"]) await answer("batches", "operations.finalizing", { range });
  for (const months of [0, 1, 2]) {
    const month = new Date(Date.now() - months * 30.5 * DAY_MS).toISOString().slice(0, 7);
    await answer("batches", "statements.get", { ...ofContract, month });
    await answer("batches", "statements.all", { month });
    await attempt("batches", "answer", "GET /v1 statements", () => rest(`/statements?month=${month}`));
  }
  await answer("batches", "batches.review", { contractAddress, batchId: "seed-0" });
  const bulk = async (action: string, filters: object) => {
    let jobId = "";
    const preview = async () => {
      ({ jobId } = await change("bulk.preview", { action, chosen: { filters } }));
    };
    const work = async () => {
      await change("bulk.start", { jobId, reason: "Tried at its size.", secondsToFinalize: 86_400 });
      return await untilDone(() => read("bulk.get", { jobId }));
    };
    const size = "payoutId" in filters ? "parts" : "batches";
    await attempt(size, "answer", `bulk.preview ${action}`, preview);
    await attempt(size, "progress", `bulk.start ${action}`, work);
  };
  await bulk("hold", { statuses: ["PENDING"], createdAfter: day(20) });
  const stored = await rowsOf("batches");
  await attempt("batches", "progress", "batches CSV", () => download("/batches/export", stored + 1));
  const period = new URLSearchParams({ by: "created", from: day(100), to: day(0) });
  const transfers = await rowsOf(
    "recipient_transfers",
    "contract_address = (select min(address) from contracts)",
  );
  await attempt("batches", "progress", "transfers CSV", () =>
    download(`/contracts/${contractAddress}/transfers/export?${period}`, transfers + 1),
  );

  const paid = { contractAddress, payoutId: "paid" };
  const checked = { contractAddress, payoutId: "checked" };
  await page("parts", "batches.list", paid);
  await answer("parts", "payouts.get", paid);
  await answer("parts", "payouts.get", checked);
  await attempt("parts", "answer", "GET /v1 payout", () => rest("/payouts/paid"));
  const inPaid = HOLDERS + 1;
  await attempt("parts", "progress", "payout CSV", () =>
    download(`/payouts/${contractAddress}/paid/export`, inPaid),
  );
  await attempt("parts", "answer", "payouts.release", async () => {
    const { waiting } = await read("payouts.get", checked);
    await change("payouts.release", { ...checked, seen: waiting });
  });
  await attempt("parts", "progress", "DELETE /v1 payout", async () => {
    for (let left = 1; left > 0; )
      ({ left } = await (await rest("/payouts/checked", { method: "DELETE" })).json());
  });

  await page("wallet", "recipients.received", { address });
  await page("wallet", "recipients.received", { address, ...ofContract, statuses: ["PENDING"] });
  await page("wallet", "search.find", { text: `${address.slice(0, 6)}…${address.slice(-6)}` });
  await answer("wallet", "recipients.get", { address });
  await answer("wallet", "recipients.sums", { address });
  await answer("wallet", "recipients.holding", { address, at: day(30) });
  await attempt("wallet", "answer", "wallet page", () => open(`/r/${address}`).then((reply) => reply.text()));
  const received = await rowsOf("recipient_transfers", `to_address = '\\x${wallet.toString("hex")}'`);
  await attempt("wallet", "progress", "received CSV", () =>
    download(`/recipients/${address}/export`, received + 1),
  );

  await page("cards", "alerts.summary");
  await page("cards", "alerts.ended", {});
  let cardIds: string[] = [];
  await attempt("cards", "page", "alerts.queue", async () => {
    const { cards } = await read("alerts.queue");
    cardIds = cards.map(({ id }: { id: string }) => id);
  });
  await attempt("cards", "answer", "alerts.markSeen", () => change("alerts.markSeen", { cardIds }));

  for (const filters of [
    {},
    { target: "seed-77" },
    { actor: "person7@example.com" },
    { requestId: "seed-5" },
  ])
    await page("audit", "audit.list", filters);
  await page("audit", "audit.actors");
  const entries = await rowsOf("audit_log");
  await attempt("audit", "progress", "audit CSV", () => download("/access/audit/export", entries + 1));

  await tryHolders();
  await bulk("reverse", paid);
  await attempt("batches", "progress", "ops verify-ledger", () => app.ops(["verify-ledger"]));
  const file = join(tmpdir(), `sizes-${process.pid}.backup`);
  world.atEnd(() => rmSync(file, { force: true }));
  await attempt("batches", "progress", "ops backup", () => app.ops(["backup", "--to", file]));
  const empty = await world.newDatabase("sizes_restored", "template0");
  await attempt("batches", "progress", "ops restore", () =>
    app.ops(["restore", "--from", file], "", { DATABASE_URL: empty.url }),
  );

  async function tryHolders() {
    let snapshotId = "";
    await attempt("holders", "progress", "snapshots.take", async () => {
      ({ id: snapshotId } = await change("snapshots.take", { pointType: POINT_TYPE }));
      return await untilDone(() => read("snapshots.get", { snapshotId }));
    });
    const [snapshot, half] = [{ snapshotId }, `${address.slice(0, 6)}…${address.slice(-4)}`];
    await page("holders", "snapshots.list", {});
    await page("holders", "snapshots.holders", snapshot);
    await page("holders", "snapshots.find", { snapshotId, text: half });
    await page("holders", "search.find", { text: half });
    for (const name of ["largest", "spread", "change"])
      await answer("holders", `snapshots.${name}`, snapshot);
    await attempt("holders", "progress", "holders CSV", async () => {
      const { holders } = await read("snapshots.get", snapshot);
      return await download(`/recipients/snapshots/${snapshotId}/export`, holders + 1);
    });
    const rule = { snapshotId, decimals: 18, rule: "PRO_RATA", total: `1${"0".repeat(24)}` };
    const rate = { snapshotId, decimals: 18, rule: "FIXED_RATE", rate: "1.5", minimum: "1" };
    await attempt("holders", "answer", "allocations.preview", () => change("allocations.preview", rule));
    await attempt("holders", "answer", "allocations.preview", () => change("allocations.preview", rate));
    let allocationId = "";
    await attempt("holders", "progress", "allocations.request", async () => {
      ({ id: allocationId } = await change("allocations.request", { ...rule, name: "A million" }));
      return await untilDone(() => read("allocations.get", { allocationId }));
    });
    const allocation = { allocationId };
    await page("holders", "allocations.list", snapshot);
    await page("holders", "allocations.claim", { allocationId, address });
    await answer("holders", "allocations.payments", allocation);
    await attempt("holders", "answer", "allocations.publish", () =>
      change("allocations.publish", allocation),
    );
    for (const form of Object.keys(FILES))
      await attempt("holders", "progress", `file ${form}`, () =>
        download(`/recipients/allocations/${allocationId}/files/${form}?token=${contractAddress}`),
      );
    await attempt("holders", "page", "GET /v1 claim", () =>
      open(`/v1/allocations/${allocationId}/claims/${address}`),
    );
    const holdersOf = `/holders?pointType=${POINT_TYPE}`;
    await attempt("holders", "progress", "POST /v1 snapshot", async () => {
      const body = JSON.stringify({ pointType: POINT_TYPE });
      const { snapshot } = await (await rest("/snapshots", { method: "POST", body })).json();
      return await untilDone(() => read("snapshots.get", { snapshotId: snapshot.id }));
    });
    await attempt("holders", "page", "GET /v1 holders", () => rest(holdersOf));
  }
}
