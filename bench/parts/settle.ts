import { randomUUID } from "node:crypto";
import type { Database } from "@/db/client";
import { claimDueBatches } from "@/server/finalizer/claim-due-batches";
import { settleClaim } from "@/server/ledger/settle";
import { interleave } from "../interleave";
import { median, ratioOf, short, table, withSpread } from "../measure";
import { settleByQueue } from "../peers/settle-by-queue";
import { settleInOneStatement } from "../peers/settle-statement";
import type { BenchOptions, Figure, PartReport } from "../report";
import { seedBatches } from "../seed";
import { makeCallers, openWorld, type World } from "../world";

const CALLERS = 16;

/** Makes ready, and gives what settles everything due: only that is timed. */
type Settler = (db: Database, url: string, finalizers: number) => Promise<() => Promise<void>>;

const SETTLERS = {
  ours: settleByUs,
  "one statement": settleInOneStatement,
  "pg-boss": settleByQueue("pg-boss"),
  "graphile-worker": settleByQueue("graphile-worker"),
} satisfies Record<string, Settler>;
type SettlerName = keyof typeof SETTLERS;

interface Case {
  name: string;
  batches: number;
  transfersEach: number;
  recipients: number;
  finalizers: number;
  settlers: readonly SettlerName[];
}

const SETS: readonly SettlerName[] = ["ours", "one statement"];
const SPREAD = 200_000;
const HOT = 1000;
/** One job a batch takes so long that the queues are given fewer batches, and so are we beside them. */
const CASES: readonly Case[] = [
  {
    name: "10,000 × 20, spread, 1 finalizer",
    batches: 10_000,
    transfersEach: 20,
    recipients: SPREAD,
    finalizers: 1,
    settlers: SETS,
  },
  {
    name: "10,000 × 20, spread, 4 finalizers",
    batches: 10_000,
    transfersEach: 20,
    recipients: SPREAD,
    finalizers: 4,
    settlers: SETS,
  },
  {
    name: "500 × 2,000, spread, 1 finalizer",
    batches: 500,
    transfersEach: 2000,
    recipients: SPREAD,
    finalizers: 1,
    settlers: SETS,
  },
  {
    name: "500 × 2,000, hot, 1 finalizer",
    batches: 500,
    transfersEach: 2000,
    recipients: HOT,
    finalizers: 1,
    settlers: SETS,
  },
  {
    name: "500 × 2,000, hot, 4 finalizers",
    batches: 500,
    transfersEach: 2000,
    recipients: HOT,
    finalizers: 4,
    settlers: SETS,
  },
  {
    name: "2,000 × 20, spread, 1 finalizer",
    batches: 2000,
    transfersEach: 20,
    recipients: SPREAD,
    finalizers: 1,
    settlers: ["ours", "pg-boss", "graphile-worker"],
  },
  {
    name: "2,000 × 20, spread, 4 finalizers",
    batches: 2000,
    transfersEach: 20,
    recipients: SPREAD,
    finalizers: 4,
    settlers: ["ours", "pg-boss", "graphile-worker"],
  },
];

/** Transfers settled a second, beside the best single statement and beside one job a batch. */
export async function benchSettle(options: BenchOptions): Promise<PartReport> {
  const world = await openWorld();
  try {
    const rows: string[][] = [];
    const figures: Figure[] = [];
    for (const each of CASES.filter(({ name }) => options.wants(name))) {
      const measured = await measureCase(world, each, options);
      const rates = (name: SettlerName) => measured.get(name) ?? [];
      const words = each.settlers.map((name) => `${name} ${short(median(rates(name)))}`);
      console.log(`  settle ${each.name}, transfers/s: ${words.join(", ")}`);
      const beside = each.settlers
        .slice(1)
        .map((peer) => ({ peer, ratio: ratioOf(rates("ours"), rates(peer)) }));
      rows.push([
        each.name,
        ...Object.keys(SETTLERS).map((name) =>
          measured.has(name as SettlerName) ? short(median(rates(name as SettlerName))) : "–",
        ),
        beside.map(({ peer, ratio }) => `${withSpread(ratio)} × ${peer}`).join("; "),
      ]);
      for (const { peer, ratio } of beside) {
        figures.push({
          key: `settle.${each.name.replaceAll(/[ ,×]+/g, "-")}/${peer.replaceAll(" ", "-")}`,
          what: `settle ${each.name}: ours × ${peer}`,
          worse: "lower",
          target: { atLeast: peer === "one statement" ? 0.85 : 15 },
          ...ratio,
        });
      }
    }
    return {
      title: "Settle, transfers a second",
      text: table(["work", ...Object.keys(SETTLERS), "ratio"], rows),
      figures,
    };
  } finally {
    await world.close();
  }
}

async function measureCase(
  world: World,
  each: Case,
  options: BenchOptions,
): Promise<Map<SettlerName, number[]>> {
  const tag = `${each.batches}_${each.transfersEach}_${each.recipients}_${each.finalizers}`;
  const template = await world.newDatabase(`due_${tag}`);
  const callers = await makeCallers(template.db, CALLERS);
  await seedBatches(template.db, { callers, ...each, due: true });
  let runs = 0;
  const sides = each.settlers.map((name) => ({
    name,
    async run() {
      const copy = await world.copyDatabase(`run_${tag}_${++runs}`, template.name);
      const settle = await SETTLERS[name](copy.db, copy.url, each.finalizers);
      await copy.db.sql`checkpoint`;
      await copy.db.sql`select sum(points) from transfers`;
      const startedAt = performance.now();
      await settle();
      const seconds = (performance.now() - startedAt) / 1000;
      await expectSettled(copy.db, name, each);
      await world.dropDatabase(copy.name);
      return (each.batches * each.transfersEach) / seconds;
    },
  }));
  const measured = await interleave(sides, options.rounds);
  await world.dropDatabase(template.name);
  return measured;
}

/** Whoever is fast because something was left out must not win. */
async function expectSettled(
  { sql }: Database,
  name: string,
  { batches, transfersEach }: Case,
): Promise<void> {
  const [row] = await sql<{ open: number; received: string }[]>`
    select (select count(*)::int from batches where status <> 'FINALIZED') as open,
      (select trim_scale(sum(received))::text from accounts) as received`;
  const points = String(batches * transfersEach * 1.5);
  if (row!.open > 0 || row!.received !== points)
    throw new Error(`${name} left ${row!.open} batches, and credited ${row!.received} of ${points}`);
}

async function settleByUs(db: Database, _url: string, finalizers: number): Promise<() => Promise<void>> {
  const work = async () => {
    for (;;) {
      const claim = await claimDueBatches(db, randomUUID());
      if (claim.batches === 0) return;
      await settleClaim(db, claim);
    }
  };
  return async () => void (await Promise.all(Array.from({ length: finalizers }, work)));
}
