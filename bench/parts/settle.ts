import type { Database } from "@/db/client";
import { settleClaim } from "@/server/ledger/settle";
import type { Store } from "../check-stored";
import { interleave } from "../interleave";
import { median, ratioOf, short, table, withSpread } from "../measure";
import { unpackIntoRows } from "../peers/rows";
import { settleByQueue } from "../peers/settle-by-queue";
import { settleClaims, settleInOneStatement, settleRows } from "../peers/settle-statement";
import type { BenchOptions, Figure, PartReport } from "../report";
import { seedBatches } from "../seed";
import { makeCallers, type World } from "../world";

const CALLERS = 16;

/** Prepares, and returns a function that settles everything due. Only that function is timed. */
type Settler = (db: Database, url: string, finalizers: number) => Promise<() => Promise<void>>;

const SETTLERS = {
  ours: settleClaims(settleClaim),
  "row per transfer": settleClaims(settleRows),
  "one statement": settleInOneStatement,
  "pg-boss": settleByQueue("pg-boss"),
  "graphile-worker": settleByQueue("graphile-worker"),
} satisfies Record<string, Settler>;
type SettlerName = keyof typeof SETTLERS;
type Peer = Exclude<SettlerName, "ours">;

interface Case {
  batches: number;
  transfersEach: number;
  recipients: keyof typeof RECIPIENTS;
  finalizers: number;
  /** The peers, and how many times as fast ours must be. */
  peers: Partial<Record<Peer, number>>;
}

const RECIPIENTS = { spread: 200_000, hot: 1000 };
const SPREAD = { "row per transfer": 0.75, "one statement": 0.85 };
const HOT = { "row per transfer": 0.5, "one statement": 0.85 };
/** One job per batch is so slow that the queues, and ours in comparison, get fewer batches. */
const QUEUES = { "pg-boss": 15, "graphile-worker": 15 };
const CASES: readonly Case[] = [
  { batches: 10_000, transfersEach: 20, recipients: "spread", finalizers: 1, peers: SPREAD },
  { batches: 10_000, transfersEach: 20, recipients: "spread", finalizers: 4, peers: SPREAD },
  { batches: 10_000, transfersEach: 20, recipients: "hot", finalizers: 1, peers: HOT },
  { batches: 500, transfersEach: 2000, recipients: "spread", finalizers: 1, peers: SPREAD },
  { batches: 500, transfersEach: 2000, recipients: "hot", finalizers: 1, peers: HOT },
  { batches: 500, transfersEach: 2000, recipients: "hot", finalizers: 4, peers: HOT },
  { batches: 2000, transfersEach: 20, recipients: "spread", finalizers: 1, peers: QUEUES },
  { batches: 2000, transfersEach: 20, recipients: "spread", finalizers: 4, peers: QUEUES },
];

const nameOf = ({ batches, transfersEach, recipients, finalizers }: Case) =>
  `${batches.toLocaleString("en")} × ${transfersEach.toLocaleString("en")}, ${recipients}, ${finalizers} finalizer${finalizers === 1 ? "" : "s"}`;

/** Settled transfers per second, compared with the best single statement and with one job per batch. */
export async function benchSettle(options: BenchOptions, world: World): Promise<PartReport> {
  const rows: string[][] = [];
  const figures: Figure[] = [];
  for (const each of CASES.filter((one) => options.wants(nameOf(one)))) {
    const name = nameOf(each);
    const measured = await measureCase(world, each, options);
    const rates = (settler: string) => measured.get(settler as SettlerName) ?? [];
    const words = [...measured].map(([settler, values]) => `${settler} ${short(median(values))}`);
    console.log(`  settle ${name}, transfers/s: ${words.join(", ")}`);
    const beside = Object.entries(each.peers).map(([peer, atLeast]) => ({
      peer,
      atLeast,
      ratio: ratioOf(rates("ours"), rates(peer)),
    }));
    rows.push([
      name,
      ...Object.keys(SETTLERS).map((settler) =>
        rates(settler).length > 0 ? short(median(rates(settler))) : "–",
      ),
      beside.map(({ peer, ratio }) => `${withSpread(ratio)} × ${peer}`).join("; "),
    ]);
    for (const { peer, atLeast, ratio } of beside) {
      figures.push({
        key: `settle.${name.replaceAll(/[ ,×]+/g, "-")}/${peer.replaceAll(" ", "-")}`,
        what: `settle ${name}: ours × ${peer}`,
        worse: "lower",
        target: { atLeast },
        ...ratio,
      });
    }
  }
  return {
    title: "Settling, transfers per second",
    text: table(["work", ...Object.keys(SETTLERS), "ratio"], rows),
    figures,
  };
}

async function measureCase(
  world: World,
  each: Case,
  options: BenchOptions,
): Promise<Map<SettlerName, number[]>> {
  const tag = `${each.batches}_${each.transfersEach}_${each.recipients}_${each.finalizers}`;
  const packed = await world.newDatabase(`packed_${tag}`);
  const callers = await makeCallers(packed.db, CALLERS);
  const { batches, transfersEach } = each;
  const recipients = RECIPIENTS[each.recipients];
  await seedBatches(packed.db, { callers, batches, transfersEach, recipients, due: true });
  const rows = await world.copyDatabase(`rows_${tag}`, packed.name);
  await unpackIntoRows(rows.db);
  let runs = 0;
  const sides = (Object.keys(SETTLERS) as SettlerName[])
    .filter((name) => name === "ours" || Object.hasOwn(each.peers, name))
    .map((name) => ({
      name,
      async run() {
        const template = name === "ours" ? packed : rows;
        const copy = await world.copyDatabase(`run_${tag}_${++runs}`, template.name);
        const settle = await SETTLERS[name](copy.db, copy.url, each.finalizers);
        await copy.db.sql`checkpoint`;
        await copy.db.sql.unsafe(READ_ALL[name === "ours" ? "packed" : "rows"]);
        const startedAt = performance.now();
        await settle();
        const seconds = (performance.now() - startedAt) / 1000;
        await expectSettled(copy.db, name);
        await world.dropDatabase(copy.name);
        return (batches * transfersEach) / seconds;
      },
    }));
  const measured = await interleave(sides, options.rounds);
  for (const template of [packed, rows]) await world.dropDatabase(template.name);
  return measured;
}

/** Reads every transfer once, so that none comes from disk while the clock runs. */
const READ_ALL = {
  packed:
    "select sum(length(addresses || ''::bytea)), sum(pg_column_size(points || '{}'::numeric[])) from batch_transfers",
  rows: "select sum(points) from transfers",
} satisfies Partial<Record<Store, string>>;

/** A contender must not win by omitting work. */
async function expectSettled({ sql }: Database, name: SettlerName): Promise<void> {
  const [row] = await sql<{ open: number; received: string; points: string }[]>`
    select (select count(*)::int from batches where status <> 'FINALIZED') as open,
      (select sum(received)::text from accounts) as received, (select sum(points)::text from batches) as points`;
  const { open, received, points } = row!;
  if (open > 0 || received !== points)
    throw new Error(`${name} left ${open} batches open, and credited ${received} of ${points}`);
}
