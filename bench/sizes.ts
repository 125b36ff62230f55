import { rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import type { Database } from "@/db/client";
import { FILES } from "@/server/allocations/files/files";
import { publishAllocation } from "@/server/allocations/publish-allocation";
import { ALLOCATIONS_MAX } from "@/server/allocations/schema";
import { addressFromBytes } from "@/server/kernel/address-bytes";
import { type BatchFilters, LIST_SORT_NAMES, listsFinalized } from "@/terms/filters";
import { allocationOf, snapshotOf, staffContext, withoutTriggers } from "@/testing/factories";
import { type BuiltApp, launchBuiltApp, newToken } from "@/testing/launch-app";
import { signInTo } from "@/testing/sign-in";
import { type BenchOptions, short, table } from "./measure";
import { balanceSeeded, seedBatches, seedPayouts, type World } from "./world";

const SIZES = {
  batches: "1,000,000 batches",
  parts: "5,000 batches of a payout",
  holders: "1,000,000 holders",
  wallet: "100,000 transfers of a wallet",
  cards: "5,000 cards",
  audit: "1,000,000 audit entries",
};
const BATCHES = 1_000_000;
const WALLETS = 10;
const CARDS = 5000;
const ENTRIES = 1_000_000;
const KINDS = ["page", "answer", "progress"] as const;
/** Whatever shows progress must begin to. */
const SECONDS_MAX = { page: 1, answer: 5, progress: 5 };
const JOB_SECONDS_MAX = 900;
const MESSAGE_CHARS_MAX = 400;
const ADDRESS_OR_ID = /\b0x[0-9a-fA-F]{40}\b|\b[0-9a-f-]{36}\b/g;
const DAY_MS = 86_400_000;
const contractAddress = `0xbe${"1".padStart(38, "0")}`;

type Size = keyof typeof SIZES;
type Kind = (typeof KINDS)[number];

/** Tries each verb that reads or writes many rows at the size that it is built for, through its own door. */
export async function benchSizes({ wants }: BenchOptions, world: World): Promise<string> {
  const { db, url } = await world.newDatabase("sizes");
  await seed(db);
  const app = await launchBuiltApp({
    environment: {
      DATABASE_URL: url,
      AUTH_SECRET: "auth-secret-of-this-bench-run",
      PUBLIC_RECEIPTS: "on",
      MINIMUM_FINALIZE_SECONDS: "1",
    },
  });
  world.atEnd(() => app.stop());
  await app.ready();
  const tried: { size: Size; kind: Kind; name: string; seconds: number }[] = [];
  const attempt: Attempt = async (size, kind, name, run) => {
    if (!wants(`${size} ${kind} ${name}`)) return;
    const startedAt = performance.now();
    let firstAt = Number.NaN;
    const failure = await run().then(
      (at) => {
        firstAt = typeof at === "number" ? at : performance.now();
      },
      (error: Error) => error.message.slice(0, MESSAGE_CHARS_MAX),
    );
    const seconds = (performance.now() - startedAt) / 1000;
    const isLate = firstAt - startedAt > SECONDS_MAX[kind] * 1000;
    if (failure || isLate) process.exitCode = 1;
    tried.push({ size, kind, name, seconds });
    console.log(
      `  ${[size, kind, name, `${short(seconds)} s`, failure ?? (isLate ? "LATE" : "")].join(" | ")}`,
    );
  };
  await tryAll({ attempt, app, db, world });
  const slowest = (size: Size, kind: Kind) => {
    const all = tried.filter((each) => each.size === size && each.kind === kind);
    const [first] = all.sort((one, other) => other.seconds - one.seconds);
    if (!first) return "";
    return `${short(first.seconds)} s${kind === "progress" ? `, ${first.name}` : ""}`;
  };
  const rows = (Object.keys(SIZES) as Size[]).map((size) => [
    SIZES[size],
    ...KINDS.map((kind) => slowest(size, kind)),
  ]);
  return table(["of", "slowest page", "slowest answer", "longest with progress"], rows);
}

async function seed(db: Database): Promise<void> {
  const { sql } = db;
  const [kept] = await sql`select 1 from allocations limit 1`;
  if (kept) return;
  await seedBatches(db, { batches: BATCHES, transfersEach: 1, recipients: WALLETS, due: false });
  await withoutTriggers(
    db,
    `update batches set approval_need = 'THRESHOLD', awaits_approval = true
     where seq in (
       select seq from batches where status = 'PENDING' and held_at is null order by seq limit ${CARDS})`,
  );
  await seedPayouts(db, contractAddress);
  await sql`
    insert into audit_log (at, actor, action, target, request_id)
    select now() - (${ENTRIES}::int - n) * interval '1 second', 'staff:person' || n % 20 || '@example.com',
      'batch.cancel', 'batch:0x' || lpad(to_hex(n % 1000), 40, '0') || '/seed-' || n, 'seed-' || n
    from generate_series(1, ${ENTRIES}::int) as n`;
  await balanceSeeded(db);
  // Of few holders, so that a wallet has a claim in as many allocations as its page shows.
  const { id: snapshotId } = await snapshotOf(db, { pointType: "PHASE2_GOLD" });
  for (let rate = 1; rate <= ALLOCATIONS_MAX; rate++) {
    const request = { snapshotId, name: `Drop ${rate}`, decimals: 18, rate: String(rate) };
    const { id } = await allocationOf(db, { ...request, rule: "FIXED_RATE" });
    await publishAllocation(staffContext(db), { allocationId: id });
  }
}

/** @param run throws if the answer is an error or not whole, and may return when progress was first seen */
type Attempt = (size: Size, kind: Kind, name: string, run: () => Promise<unknown>) => Promise<void>;

interface Trial {
  attempt: Attempt;
  app: BuiltApp;
  db: Database;
  world: World;
}

/** Calls as the console, a caller of `/v1` and a visitor do. @throws Error with any reply but a success */
async function doorsOf(app: BuiltApp) {
  const { cookie } = await signInTo(app);
  const token = await newToken(app, contractAddress);
  const open = async (path: string, method = "GET", body?: unknown) => {
    const headers = {
      ...(path.startsWith("/v1") ? { Authorization: `Bearer ${token}` } : { Cookie: cookie }),
      ...(method === "GET" ? {} : { Origin: app.url, "Content-Type": "application/json" }),
    };
    const reply = await fetch(app.url + path, { method, headers, body: body ? JSON.stringify(body) : null });
    if (!reply.ok) throw new Error(`${reply.status}: ${await reply.text()}`);
    return reply;
  };
  const dataOf = async (reply: Response) => (await reply.json()).result.data;
  const read = async (name: string, input?: unknown) => {
    const query = input === undefined ? "" : `?input=${encodeURIComponent(JSON.stringify(input))}`;
    return dataOf(await open(`/api/trpc/console.${name}${query}`));
  };
  const change = async (name: string, input: unknown) =>
    dataOf(await open(`/api/trpc/console.${name}`, "POST", input));
  /** @param lines that a whole file has @returns when the first byte came */
  const download = async (path: string, lines?: number) => {
    let [firstAt, found] = [0, 0];
    for await (const chunk of (await open(path)).body as unknown as AsyncIterable<Uint8Array>) {
      firstAt ||= performance.now();
      for (const byte of chunk) if (byte === 10) found++;
    }
    if (lines !== undefined && found !== lines) throw new Error(`${found} lines, not ${lines}`);
    return firstAt;
  };
  /** @returns when the job was requested */
  const untilDone = async (name: string, input: unknown) => {
    const requestedAt = performance.now();
    for (;;) {
      const { status, failure } = await read(name, input);
      if (status === "FAILED") throw new Error(failure);
      if (status !== "RUNNING") return requestedAt;
      if (performance.now() - requestedAt > JOB_SECONDS_MAX * 1000) throw new Error("it does not end");
      await sleep(200);
    }
  };
  return { open, read, change, download, untilDone };
}

type Reads = [size: Size, kind: Kind, name: string, input?: unknown][];

async function tryAll({ attempt, app, db, world }: Trial): Promise<void> {
  const { open, read, change, download, untilDone } = await doorsOf(app);
  const [{ wallet }] = await db.sql<[{ wallet: Buffer }]>`
    select to_address as wallet from recipient_transfers order by batch_seq limit 1`;
  const address = addressFromBytes(wallet);
  const shortened = `${address.slice(0, 6)}…${address.slice(-4)}`;
  const ofContract = { contractAddress };
  const [paid, checked] = ["paid", "checked"].map((payoutId) => ({ contractAddress, payoutId }));
  const v1 = `/v1/contracts/${contractAddress}`;
  const day = (daysAgo: number) => new Date(Date.now() - daysAgo * DAY_MS).toISOString();
  const [thisMonth, lastMonth] = [day(0), day(31)].map((at) => at.slice(0, 7));
  /** @param name of a procedure of the console, or a path */
  const readEach = async (reads: Reads) => {
    for (const [size, kind, name, input] of reads)
      await attempt(size, kind, name.replaceAll(ADDRESS_OR_ID, "…"), () =>
        name.startsWith("/") ? open(name).then((reply) => reply.text()) : read(name, input),
      );
  };
  await readEach([
    ["batches", "page", "batches.newer", { newerThan: { createdAt: day(1) } }],
    ["batches", "page", "search.find", { text: "seed-99" }],
    ["batches", "page", "contracts.search", {}],
    ["batches", "page", "operations.state"],
    ["batches", "page", `${v1}/batches?limit=200`],
    ["batches", "answer", "batches.totals", {}],
    ["batches", "answer", "batches.totals", { ...ofContract, createdAfter: day(60) }],
    ["batches", "answer", "batches.facets", {}],
    ["batches", "answer", "batches.facets", { ...ofContract, createdAfter: day(60) }],
    ["batches", "answer", "contracts.pointsPerDay", { ...ofContract, dayStarts: [30, 20, 10, 0].map(day) }],
    ["batches", "answer", "contracts.keylessPosts", ofContract],
    ["batches", "answer", "forecast.get", ofContract],
    ["batches", "answer", "operations.load"],
    ["batches", "answer", "operations.finalizing", { range: "7d" }],
    ["batches", "answer", "statements.all", { month: thisMonth }],
    ["batches", "answer", "statements.all", { month: lastMonth }],
    ["batches", "answer", "statements.all", { month: lastMonth }],
    ["batches", "answer", `${v1}/statements?month=${lastMonth}`],
    ["batches", "answer", "batches.review", { contractAddress, batchId: "seed-0" }],
    ["parts", "page", "batches.list", paid],
    ["parts", "answer", "payouts.get", paid],
    ["parts", "answer", `${v1}/payouts/paid`],
    ["wallet", "page", "recipients.received", { address }],
    ["wallet", "page", "recipients.received", { address, ...ofContract, statuses: ["PENDING"] }],
    ["wallet", "page", "search.find", { text: shortened }],
    ["wallet", "answer", "recipients.get", { address }],
    ["wallet", "answer", "recipients.sums", { address, ...ofContract }],
    ["wallet", "answer", "recipients.holding", { address, at: day(30) }],
    ["wallet", "answer", `/r/${address}`],
    ["cards", "page", "alerts.summary"],
    ["cards", "page", "alerts.queue"],
    ["audit", "page", "audit.list", {}],
    ["audit", "page", "audit.list", { target: "seed-77" }],
    ["audit", "page", "audit.list", { actor: "person7@example.com" }],
    ["audit", "page", "audit.actors"],
  ]);
  const filters = {
    ...{ ...ofContract, statuses: ["PENDING"], pointType: "PHASE2_GOLD", recipient: address },
    ...{ overdue: true, held: true, awaitingApproval: true, unusual: true, unblocked: true, reversals: true },
    ...{ createdAfter: day(60), dueAfter: day(30), finalizedAfter: day(30), minimumPoints: "900" },
    ...{ createdBefore: day(60), dueBefore: day(60), finalizedBefore: day(60), metadata: { none: "such" } },
    ...{ idPrefix: "seed-9", submittedBy: "staff:nobody@example.com", payoutId: "paid" },
  } satisfies Required<BatchFilters>;
  const alone = Object.entries(filters).map(([name, value]) => ({ [name]: value }));
  for (const filter of [{}, ...alone, ...alone.map((each) => ({ ...ofContract, ...each }))])
    for (const sort of LIST_SORT_NAMES.filter((by) => listsFinalized(filter) || !by.startsWith("FINAL")))
      await attempt("batches", "page", `batches.list ${Object.keys(filter)} ${sort}`, () =>
        read("batches.list", { ...filter, sort }),
      );
  await attempt("cards", "answer", "alerts.markSeen", async () => {
    const { cards } = await read("alerts.queue");
    await change("alerts.markSeen", { cardIds: cards.map(({ id }: { id: string }) => id) });
  });

  const bulk = async (size: Size, action: string, filters: unknown) => {
    const chosen = { filters };
    let job: { jobId?: string } = {};
    await attempt(size, "answer", `bulk.preview ${action}`, async () => {
      job = { jobId: (await change("bulk.preview", { action, chosen })).jobId };
    });
    await attempt(size, "progress", `bulk.start ${action}`, async () => {
      await change("bulk.start", { ...job, reason: "Tried at its size.", secondsToFinalize: 86_400 });
      return await untilDone("bulk.get", job);
    });
  };
  await bulk("batches", "hold", { statuses: ["PENDING"], createdAfter: day(80) });

  const whole = async (size: Size, name: string, path: string, rows: string) => {
    const [{ count }] = await db.sql.unsafe<[{ count: number }]>(`select count(*)::int from ${rows}`);
    await attempt(size, "progress", name, () => download(path, count + 1));
  };
  const period = new URLSearchParams({ by: "created", from: day(100), to: day(0) });
  const ofFirst = `recipient_transfers where contract_address = '\\x${contractAddress.slice(2)}'`;
  const toWallet = `recipient_transfers where to_address = '\\x${address.slice(2)}'`;
  const files: Parameters<typeof whole>[] = [
    ["batches", "batches as CSV", "/batches/export", "batches"],
    ["batches", "transfers as CSV", `/contracts/${contractAddress}/transfers/export?${period}`, ofFirst],
    ["parts", "payout as CSV", `/payouts/${contractAddress}/paid/export`, "generate_series(1, 1000000)"],
    ["wallet", "transfers as CSV", `/recipients/${address}/export`, toWallet],
    ["audit", "entries as CSV", "/access/audit/export", "audit_log"],
  ];
  for (const file of files) await whole(...file);

  await attempt("parts", "answer", "payouts.release", async () => {
    const { waiting } = await read("payouts.get", checked);
    await change("payouts.release", { ...checked, seen: waiting });
  });
  await attempt("parts", "progress", "DELETE /v1/…/payouts", async () => {
    for (let left = 1; left > 0; ) ({ left } = await (await open(`${v1}/payouts/checked`, "DELETE")).json());
  });

  let snapshotId = "";
  await attempt("holders", "progress", "snapshots.take", async () => {
    ({ id: snapshotId } = await change("snapshots.take", { pointType: "PHASE2_POINTS" }));
    return await untilDone("snapshots.get", { snapshotId });
  });
  await attempt("holders", "progress", "POST /v1/…/snapshots", async () => {
    const reply = await open(`${v1}/snapshots`, "POST", { pointType: "PHASE2_POINTS" });
    return await untilDone("snapshots.get", { snapshotId: (await reply.json()).snapshot.id });
  });
  const rule = { snapshotId, decimals: 12, rule: "PRO_RATA", total: `1${"0".repeat(24)}` };
  const rate = { snapshotId, decimals: 18, rule: "FIXED_RATE", rate: "1.5" };
  for (const input of [rule, rate])
    await attempt("holders", "answer", "allocations.preview", () => change("allocations.preview", input));
  let allocationId = "";
  await attempt("holders", "progress", "allocations.request", async () => {
    ({ id: allocationId } = await change("allocations.request", { ...rule, name: "A million" }));
    return await untilDone("allocations.get", { allocationId });
  });
  await attempt("holders", "answer", "allocations.publish", () =>
    change("allocations.publish", { allocationId }),
  );
  await readEach([
    ["holders", "page", "snapshots.list", {}],
    ["holders", "page", "snapshots.find", { snapshotId, text: shortened }],
    ["holders", "page", "allocations.list", { snapshotId }],
    ["holders", "page", `/v1/allocations/${allocationId}/claims/${address}`],
    ["holders", "page", `${v1}/holders?pointType=PHASE2_POINTS`],
    ["holders", "answer", "snapshots.largest", { snapshotId }],
    ["holders", "answer", "snapshots.spread", { snapshotId }],
    ["holders", "answer", "snapshots.change", { snapshotId }],
    ["holders", "answer", "allocations.payments", { allocationId }],
  ]);
  const holders = "accounts where point_type = 'PHASE2_POINTS' and received > 0";
  await whole("holders", "holders as CSV", `/snapshots/${snapshotId}/export`, holders);
  // Uniswap's is refused: no program reads a text that long. With more than 12 decimals, so is the payout.
  for (const form of Object.keys(FILES).filter((name) => name !== "uniswap-claims"))
    await attempt("holders", "progress", `file ${form}`, () =>
      download(`/snapshots/allocations/${allocationId}/files/${form}?token=${contractAddress}`),
    );
  await bulk("parts", "reverse", paid);

  /** In a terminal it says every five seconds that it works. */
  const command = (words: string[], environment = {}) =>
    attempt("batches", "progress", `ops ${words[0]}`, async () => {
      const startedAt = performance.now();
      await app.ops(words, "", environment);
      return startedAt;
    });
  await command(["verify-ledger"]);
  const file = join(tmpdir(), `sizes-${process.pid}.backup`);
  world.atEnd(() => rmSync(file, { force: true }));
  await command(["backup", "--to", file]);
  const empty = { DATABASE_URL: (await world.newDatabase("sizes_restored", "template0")).url };
  await command(["restore", "--from", file], empty);
}
