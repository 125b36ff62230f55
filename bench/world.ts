import { randomUUID } from "node:crypto";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import postgres from "postgres";
import { createDatabase, type Database } from "@/db/client";
import { startEmbeddedPostgres } from "@/db/embedded";
import { clusterPaths, readPidFile } from "@/db/embedded-cluster";
import { migrateDatabase } from "@/db/migrate";
import { createAccessToken } from "@/server/auth/tokens";
import { registerContract } from "@/server/contracts/register-contract";
import { grantPoints } from "@/server/ledger/issuances";
import { urlAt } from "@/testing/citus/make-database";
import type { LoadCaller } from "./load/load-plan";

/** A run's Postgres: the embedded one with its normal settings, so with fsync. Every contender has its own database in it. */
export interface World {
  postgresPid: number;
  newDatabase(name: string): Promise<BenchDatabase>;
  /** A database without tables. */
  emptyDatabase(name: string): Promise<BenchDatabase>;
  /** Clones a database, which must have no connections. */
  copyDatabase(name: string, from: string): Promise<BenchDatabase>;
  dropDatabase(name: string): Promise<void>;
  /** Stops what was started in it, when the part is over; the last first. */
  atEnd(stop: () => unknown): void;
}

export interface BenchDatabase {
  name: string;
  url: string;
  db: Database;
}

const POOL_MAX = 4;
/** Seeding and vacuuming take long. */
const STATEMENT_SECONDS_MAX = 1800;

/** Runs a part in a world of its own. */
export async function withWorld<Result>(run: (world: World) => Promise<Result>): Promise<Result> {
  const world = await openWorld();
  try {
    return await run(world);
  } finally {
    await world.close();
  }
}

async function openWorld(): Promise<World & { close(): Promise<void> }> {
  const dataDir = mkdtempSync(join(tmpdir(), "bench-"));
  const server = await startEmbeddedPostgres({ dataDir, asSuperuser: true });
  const forgetSignals = stopOnSignal(() =>
    server.stop().then(() => rmSync(dataDir, { recursive: true, force: true })),
  );
  const admin = postgres(server.url, { max: 1, onnotice: () => undefined });
  const open = new Map<string, BenchDatabase>();
  const use = (name: string): BenchDatabase => {
    const url = urlAt(server.url, { database: name });
    const made = { name, url, db: openDatabase(url) };
    open.set(name, made);
    return made;
  };
  const emptyDatabase = async (name: string) => {
    await admin`create database ${admin(name)}`;
    return use(name);
  };
  const stops: (() => unknown)[] = [];
  return {
    postgresPid: readPidFile(clusterPaths(dataDir))!.pid,
    emptyDatabase,
    async newDatabase(name) {
      const made = await emptyDatabase(name);
      await migrateDatabase({ url: made.url, timeoutSeconds: 30 });
      return made;
    },
    async copyDatabase(name, from) {
      await open.get(from)?.db.close();
      await admin`create database ${admin(name)} template ${admin(from)}`;
      use(from);
      return use(name);
    },
    async dropDatabase(name) {
      await open.get(name)?.db.close();
      open.delete(name);
      await admin`drop database ${admin(name)} with (force)`;
    },
    atEnd: (stop) => void stops.unshift(stop),
    async close() {
      const failures: unknown[] = [];
      for (const stop of stops) {
        try {
          await stop();
        } catch (error) {
          failures.push(error);
        }
      }
      forgetSignals();
      await Promise.all([...open.values()].map(({ db }) => db.close()));
      await admin.end();
      await server.stop();
      rmSync(dataDir, { recursive: true, force: true });
      if (failures.length > 0) throw failures[0];
    },
  };
}

/** An interrupted benchmark leaves no Postgres behind. */
function stopOnSignal(stop: () => Promise<void>): () => void {
  const end = () => void stop().finally(() => process.exit(130));
  process.once("SIGINT", end).once("SIGTERM", end);
  return () => void process.off("SIGINT", end).off("SIGTERM", end);
}

function openDatabase(url: string): Database {
  return createDatabase({
    url,
    poolMax: POOL_MAX,
    timeoutSeconds: 60,
    statementSecondsMax: STATEMENT_SECONDS_MAX,
    pooler: "none",
  });
}

export const callerAddress = (at: number): string => `0xbe${at.toString(16).padStart(38, "0")}`;

/** Contracts with points to send, each with a token. */
export async function makeCallers(db: Database, count: number): Promise<LoadCaller[]> {
  const ctx = { db, actor: "bench", requestId: randomUUID() };
  const callers: LoadCaller[] = [];
  for (let at = 1; at <= count; at++) {
    const contractAddress = callerAddress(at);
    await registerContract(ctx, {
      address: contractAddress,
      label: `Bench ${at}`,
      operatorAddress: null,
      issuance: "PREFUNDED",
    });
    await grantPoints(ctx, { contractAddress, pointType: "PHASE2_POINTS", points: "1000000000000000000" });
    const { token } = await createAccessToken(ctx, {
      contractAddress,
      name: "bench",
      scopes: ["batches:read", "batches:write"],
      expiresAt: null,
    });
    callers.push({ contractAddress, token });
  }
  return callers;
}

/** Deletes everything submitted, so that every run starts with the same tables and a fresh checkpoint. */
export async function forgetBatches({ sql }: Database, transfersTable: string): Promise<void> {
  await sql`truncate batches, ${sql(transfersTable)}, recipient_transfers`;
  await sql`update accounts set pending = 0`;
  await sql`vacuum accounts, access_tokens, rate_limits`;
  await sql`checkpoint`;
}
