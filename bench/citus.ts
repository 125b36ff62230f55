import { randomBytes, randomUUID } from "node:crypto";
import { createDatabase, type Database } from "@/db/client";
import { migrateDatabase } from "@/db/migrate";
import { submitBatch } from "@/server/batches/submit/submit-batch";
import { registerContract } from "@/server/contracts/register-contract";
import { finalizeDueBatches } from "@/server/finalizer/finalize-due-batches";
import { urlAt, withSql } from "@/testing/citus/make-database";
import { CitusDatabases, workersOf } from "@/testing/citus/test-databases";
import { interleave } from "./interleave";
import { type Spread, short, spreadOf, table, withSpread } from "./measure";

const CONTRACTS = 50;
const ROUNDS = 5;
const SUBMIT_SECONDS = 3;
const CALLERS = 16;
const FINALIZERS = 2;
const LIMITS = {
  minimumPoints: { PHASE2_POINTS: "0.01", PHASE2_GOLD: "0.000001" },
  transfersMax: 2000,
  minimumFinalizeSeconds: 0,
  defaultFinalizeSeconds: 86_400,
  zeroAddressAllowed: false,
};

interface Side {
  db: Database;
  contracts: string[];
}

/**
 * Compares the cluster of `CITUS_URL` with one Postgres: an undistributed database on the coordinator's server, so with the
 * same settings. Calls the service's functions without HTTP; both share this machine.
 */
export async function benchCitus(): Promise<void> {
  const citusUrl = process.env.CITUS_URL;
  if (!citusUrl) throw new Error("Set CITUS_URL to a coordinator: postgres://user@host:port/database.");
  const clones = await CitusDatabases.make(citusUrl);
  const plain = await makePlainDatabase(citusUrl);
  const sides = new Map<string, Side>();
  try {
    const workers = await workersOf(citusUrl);
    sides.set("one Postgres", await openSide(plain.url));
    sides.set(`Citus, ${workers.length} workers`, await openSide(await clones.clone()));
    const rows: string[][] = [];
    for (const [what, unit, measure] of MEASURES) {
      const each = [...sides].map(([name, side]) => ({ name, run: () => measure(side) }));
      const measured = await interleave(each, ROUNDS);
      const spreads = [...measured.values()].map(spreadOf);
      rows.push([what, unit, ...spreads.map(withSpread), short(ratio(spreads))]);
      console.log(rows.at(-1)!.join(" | "));
    }
    console.log(`\n${table(["what", "unit", ...sides.keys(), "ratio"], rows)}`);
  } finally {
    await Promise.all([...sides.values()].map(({ db }) => db.close()));
    await Promise.all([plain.drop(), clones.dropAll()]);
  }
}

const ratio = ([one, cluster]: Spread[]) => cluster!.median / one!.median;

const MEASURES: [what: string, unit: string, measure: (side: Side) => Promise<number>][] = [
  ["submit 20, one caller", "ms, median", (side) => submitLatency(side, 20)],
  ["submit 20 × 16 callers", "batches/s", (side) => submitRate(side, 20)],
  ["submit 2,000 × 16 callers", "batches/s", (side) => submitRate(side, 2000)],
  ["finalize 2,000 × 20", "transfers/s", (side) => finalizeRate(side, 2000, 20)],
  ["finalize 80 × 2,000", "transfers/s", (side) => finalizeRate(side, 80, 2000)],
];

async function openSide(url: string): Promise<Side> {
  const db = createDatabase({ url, poolMax: CALLERS, timeoutSeconds: 60, pooler: "none" });
  const contracts = Array.from({ length: CONTRACTS }, () => `0x${randomBytes(20).toString("hex")}`);
  for (const address of contracts)
    await registerContract(contextOf(db), {
      address,
      label: address.slice(0, 8),
      operatorAddress: null,
      issuance: "ON_DEMAND",
    });
  return { db, contracts };
}

async function makePlainDatabase(citusUrl: string): Promise<{ url: string; drop(): Promise<void> }> {
  const name = `ptb_${process.pid}_plain`;
  await withSql(citusUrl, (sql) => sql`create database ${sql(name)}`);
  const url = urlAt(citusUrl, { database: name });
  await migrateDatabase({ url, timeoutSeconds: 10 });
  const drop = () => withSql(citusUrl, (sql) => sql`drop database ${sql(name)} with (force)`);
  return { url, drop: async () => void (await drop()) };
}

const contextOf = (db: Database) => ({ db, actor: "token:bench", requestId: randomUUID() });

/** Each batch pays new wallets, like the spread case of the other parts. */
async function submitOne({ db, contracts }: Side, at: number, transfers: number, secondsToFinalize: number) {
  await submitBatch(contextOf(db), LIMITS, {
    contractAddress: contracts[at % contracts.length]!,
    pointType: "PHASE2_POINTS",
    secondsToFinalize,
    transfers: Array.from({ length: transfers }, () => ({
      toAddress: `0x${randomBytes(20).toString("hex")}`,
      points: "1.5",
    })),
  });
}

async function submitLatency(side: Side, transfers: number): Promise<number> {
  const times: number[] = [];
  const endsAt = performance.now() + SUBMIT_SECONDS * 1000;
  for (let at = 0; performance.now() < endsAt; at++) {
    const startedAt = performance.now();
    await submitOne(side, at, transfers, 3600);
    times.push(performance.now() - startedAt);
  }
  return spreadOf(times).median;
}

async function submitRate(side: Side, transfers: number): Promise<number> {
  const startedAt = performance.now();
  const endsAt = startedAt + SUBMIT_SECONDS * 1000;
  let batches = 0;
  const call = async () => {
    while (performance.now() < endsAt) await submitOne(side, batches++, transfers, 3600);
  };
  await Promise.all(Array.from({ length: CALLERS }, call));
  return batches / ((performance.now() - startedAt) / 1000);
}

async function finalizeRate(side: Side, batches: number, transfers: number): Promise<number> {
  let next = 0;
  const call = async () => {
    while (next < batches) await submitOne(side, next++, transfers, 0);
  };
  await Promise.all(Array.from({ length: CALLERS }, call));
  const startedAt = performance.now();
  const runs = await Promise.all(
    Array.from({ length: FINALIZERS }, () =>
      finalizeDueBatches(side.db, { budgetSeconds: 120, startedBy: "ops" }),
    ),
  );
  const settled = runs.reduce((sum, { transfersSettled }) => sum + transfersSettled, 0);
  if (settled !== batches * transfers)
    throw new Error(`${settled} of ${batches * transfers} transfers were finalized: ${JSON.stringify(runs)}`);
  return settled / ((performance.now() - startedAt) / 1000);
}
