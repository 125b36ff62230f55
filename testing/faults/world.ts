import { randomBytes, randomUUID } from "node:crypto";
import { createDatabase, type Database } from "@/db/client";
import { startEmbeddedPostgres } from "@/db/embedded";
import { migrateDatabase } from "@/db/migrate";
import { createAccessToken } from "@/server/auth/tokens";
import { endLeases } from "../catch-up";
import { urlAt, withSql } from "../citus/make-database";
import { newContract, testContext } from "../factories";
import { Cleanup } from "./cleanup";
import type { FaultRun } from "./fault-row";
import { expectAllFinalized, expectStoredContent, readInvariants, watchInvariants } from "./invariants";
import { AnswerRecord } from "./record";

const CONTRACTS = 3;
/** This program's own connections to a row's database. */
export const WORLD_POOL_MAX = 8;
/** Enough to read a whole ledger on a busy machine. */
const READ_SECONDS_MAX = 60;

export interface Caller {
  contractAddress: string;
  token: string;
}

/** A database with contracts, and what their callers had acknowledged. */
export interface FaultWorld {
  url: string;
  db: Database;
  callers: Caller[];
  record: AnswerRecord;
  /** Reads the invariants repeatedly. @returns a stop function */
  watch(): () => Promise<void>;
  /** After the faults: waits until everything is finalized, then checks everything once more. */
  finish(): Promise<void>;
}

/** An empty database in the row's own Postgres, or in a shared one for short runs. */
export async function startRowPostgres(run: FaultRun): Promise<string> {
  if (run.short) {
    shared ??= startShared();
    return newDatabase((await shared).url);
  }
  const server = await startEmbeddedPostgres({ dataDir: run.cleanup.folder(), asSuperuser: true });
  run.cleanup.add(() => server.stop());
  return newDatabase(server.url);
}

let shared: Promise<{ url: string; stop(): Promise<unknown> }> | undefined;

async function startShared() {
  const ours = new Cleanup();
  const server = await startEmbeddedPostgres({
    dataDir: ours.folder(),
    asSuperuser: true,
    extraSettings: { max_connections: "300" },
  });
  ours.add(() => server.stop());
  return { url: server.url, stop: () => ours.run() };
}

export async function stopSharedPostgres(): Promise<void> {
  await (await shared)?.stop();
}

export async function newDatabase(serverUrl: string): Promise<string> {
  const name = `fault_${randomBytes(6).toString("hex")}`;
  await withSql(serverUrl, (sql) => sql`create database ${sql(name)}`);
  return urlAt(serverUrl, { database: name });
}

/** Migrates a database if needed, and registers contracts with tokens in it. */
export async function openWorld(run: FaultRun, url: string, contracts = CONTRACTS): Promise<FaultWorld> {
  await migrateDatabase({ url, timeoutSeconds: 10 });
  const db = createDatabase({
    url,
    poolMax: WORLD_POOL_MAX,
    timeoutSeconds: 20,
    pooler: "none",
    statementSecondsMax: READ_SECONDS_MAX,
  });
  run.cleanup.add(() => db.close());
  const callers: Caller[] = [];
  for (let i = 0; i < contracts; i++) {
    // Some contracts sort before all recipients in account order, some after.
    const address = `0x${i % 2 === 0 ? "00c0" : "ffc0"}${randomUUID().replaceAll("-", "")}0000`;
    const contractAddress = await newContract(db, { address });
    const { token } = await createAccessToken(testContext(db), {
      contractAddress,
      name: "faults",
      scopes: ["batches:read", "batches:write"],
      expiresAt: null,
    });
    callers.push({ contractAddress, token });
  }
  const record = new AnswerRecord();
  const { tally } = run;
  return {
    url,
    db,
    callers,
    record,
    watch() {
      const stop = watchInvariants(db, record, tally);
      run.cleanup.add(stop);
      return stop;
    },
    async finish() {
      // An abandoned claim takes a minute to expire; the short run expires it.
      if (run.short) await endLeases(db);
      await expectAllFinalized(db, tally);
      await readInvariants(db, record, tally);
      await expectStoredContent(db, record, tally);
    },
  };
}
