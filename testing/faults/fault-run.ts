import { createHash, randomInt, randomUUID } from "node:crypto";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { expect, test } from "vitest";
import { ApiProblem } from "@/client/src/api-problem";
import { ClientError } from "@/client/src/client-error";
import { createClient } from "@/client/src/create-client";
import type { NewBatch } from "@/client/src/shapes";
import { createDatabase, type Database } from "@/db/client";
import { freePort } from "@/db/embedded-cluster";
import { createAccessToken } from "@/server/auth/tokens";
import { canonicalBatchText } from "@/server/batches/submit/digest";
import { isDatabaseUnavailable } from "@/server/kernel/database-errors";
import { inOneSnapshot, SnapshotUnavailableError } from "@/server/kernel/shards";
import { readLedger } from "@/server/ledger/run-check";
import { endLeases } from "../catch-up";
import { newContract, testContext, wallet } from "../factories";
import { type LaunchedApp, launchBuiltApp } from "../launch-app";
import { testDatabase } from "../test-database";

/** A dead finalizer's claim expires after a minute; then another one takes over. */
const FINALIZED_WITHIN_SECONDS = 75;
const WAIT_STEP_MS = 250;
const READ_EVERY_MS = 1000;

/** The part of a run that the checks write to. */
interface Tally {
  reads: number;
  expect(holds: boolean, words: string): void;
}

/** What the service acknowledged, from the clients' own record of 2xx answers. */
export class AnswerRecord {
  /** `contract/id` → digest of the batch that was sent and acknowledged. */
  readonly submitted = new Map<string, string>();
  /** `contract/id` of batches whose cancel was acknowledged. */
  readonly cancelled = new Set<string>();
  /** Sent, but neither acknowledged nor refused yet. */
  readonly unknown = new Map<string, string>();
}

interface StoredBatch {
  key: string;
  digest: string;
  status: string;
}

/** Checks in one snapshot the ledger's rules, and what was acknowledged against the clients' own record. */
export async function readInvariants(db: Database, record: AnswerRecord, tally: Tally): Promise<void> {
  // Copied first, because batches acknowledged during the read may be newer than the snapshot.
  const submitted = [...record.submitted];
  const cancelled = [...record.cancelled];
  await inOneSnapshot(db, "read only", async (tx) => {
    const report = await readLedger(tx);
    for (const { rule, detail } of report.findings) tally.expect(false, `${rule}: ${detail}`);
    const stored = await tx<StoredBatch[]>`
      select '0x' || encode(contract_address, 'hex') || '/' || id as key, encode(digest, 'hex') as digest, status
      from batches`;
    const byKey = new Map(stored.map((batch) => [batch.key, batch]));
    tally.expect(byKey.size === stored.length, "a contract has the same id more than once");
    for (const [key, digest] of submitted) {
      const found = byKey.get(key);
      if (!found) tally.expect(false, `${key} was acknowledged but is lost`);
      else tally.expect(found.digest === digest, `${key} was acknowledged but has different content`);
    }
    for (const key of cancelled) {
      const status = byKey.get(key)?.status;
      tally.expect(status === "CANCELLED", `the cancel of ${key} was acknowledged but it is ${status}`);
    }
  });
  tally.reads++;
}

/** As `readInvariants`, but does nothing if the database is away. */
async function readInvariantsIfUp(db: Database, record: AnswerRecord, tally: Tally): Promise<void> {
  try {
    await readInvariants(db, record, tally);
  } catch (error) {
    if (!isDatabaseUnavailable(error) && !(error instanceof SnapshotUnavailableError)) throw error;
  }
}

/** Reads the invariants repeatedly. @returns a stop function, which waits for the current read */
export function watchInvariants(db: Database, record: AnswerRecord, tally: Tally): () => Promise<void> {
  let stopped = false;
  const run = async () => {
    while (!stopped) {
      await readInvariantsIfUp(db, record, tally);
      for (let waited = 0; waited < READ_EVERY_MS && !stopped; waited += 100)
        await new Promise((resolve) => setTimeout(resolve, 100));
    }
  };
  const running = run();
  running.catch(() => undefined);
  return () => {
    stopped = true;
    return running;
  };
}

/** Waits up to `secondsMax` until no batch is due and not on hold, and none is FINALIZING. */
export async function expectAllFinalized(
  db: Database,
  tally: Tally,
  secondsMax = FINALIZED_WITHIN_SECONDS,
): Promise<void> {
  const startedAt = performance.now();
  for (;;) {
    const [left] = await db.sql<{ count: number }[]>`
      select count(*)::int as count
      from batches where (status = 'PENDING' and held_at is null and not awaits_approval and finalize_at <= now()) or status = 'FINALIZING'`;
    if (left!.count === 0) return;
    if (performance.now() - startedAt > secondsMax * 1000) {
      tally.expect(false, `${left!.count} batches were still due ${secondsMax} s after the faults ended`);
      return;
    }
    await new Promise((resolve) => setTimeout(resolve, WAIT_STEP_MS));
  }
}

/** `FAULTS=full` breaks more, for longer. */
const SHORT = process.env.FAULTS !== "full";
const CONTRACTS = 3;
/** Enough to read a whole ledger on a busy machine. */
const READ_SECONDS_MAX = 60;
const VIOLATIONS_MAX = 20;
/** Log output of a process that had an uncaught error. */
const UNCAUGHT = /"level":60|uncaught error|unhandled rejection|uncaughtException|TypeError/;

export const between = (least: number, most: number) => least + Math.random() * (most - least);
export const chance = (probability: number) => Math.random() < probability;

/** A test that breaks something, with its time limits in the short and the full run. What it prints says how much it did. */
export function faultTest(
  name: string,
  secondsMax: { short: number; full: number },
  play: (run: FaultRun) => Promise<void>,
): void {
  const seconds = SHORT ? secondsMax.short : secondsMax.full;
  test(name, { timeout: seconds * 1000 }, async ({ signal, onTestFinished }) => {
    const run = new FaultRun(signal, onTestFinished);
    await play(run);
    console.warn(`${name}:\n${run.described()}`);
    expect(run.violations).toEqual([]);
  });
}

/** What one test has broken and seen so far. */
export class FaultRun {
  readonly short = SHORT;
  /** Aborted when the test runs out of time, or what it works with is gone. */
  readonly signal: AbortSignal;
  /** Runs when the test is over, in reverse order. */
  readonly after: (end: () => unknown) => void;
  /** Faults injected. */
  injected = 0;
  /** Requests that got an answer, by status. */
  readonly answers = new Map<number, number>();
  /** Requests whose connection ended without an answer, or that waited too long for one. */
  unanswered = 0;
  /** How often all invariants were read in one snapshot. */
  reads = 0;
  readonly violations: string[] = [];
  readonly notes: string[] = [];
  #worstRecoveryMs = 0;
  #recoversSince: number | null = null;
  readonly #giveUp = new AbortController();

  constructor(signal: AbortSignal, after: (end: () => Promise<void>) => void) {
    this.signal = AbortSignal.any([signal, this.#giveUp.signal]);
    this.after = (end) =>
      after(async () => {
        await end();
      });
  }

  /** A new folder that Postgres can enter as another user. */
  folder(): string {
    const dir = mkdtempSync(path.join(tmpdir(), "ptb-fault-"));
    this.after(() => rmSync(dir, { recursive: true, force: true, maxRetries: 5, retryDelay: 200 }));
    return dir;
  }

  /** A `fetch` that counts every answer, and every request that got none. */
  readonly fetch: typeof fetch = async (input, init) => {
    try {
      const reply = await fetch(input, init);
      const { status } = reply;
      this.answers.set(status, (this.answers.get(status) ?? 0) + 1);
      if (status < 300) this.#recovered();
      if (status === 503) this.expect(reply.headers.has("retry-after"), "a 503 came without Retry-After");
      else this.expect(status < 500, `a request was answered ${status}`);
      return reply;
    } catch (error) {
      this.unanswered++;
      throw error;
    }
  };

  /** From now until the next success counts as recovery. */
  recovering(): void {
    this.#recoversSince ??= performance.now();
  }

  /** Another fault came before the recovery. */
  forgetRecovery(): void {
    this.#recoversSince = null;
  }

  #recovered(): void {
    if (this.#recoversSince === null) return;
    this.#worstRecoveryMs = Math.max(this.#worstRecoveryMs, performance.now() - this.#recoversSince);
    this.#recoversSince = null;
  }

  async untilRecovered(): Promise<void> {
    this.recovering();
    while (this.#recoversSince !== null && !this.signal.aborted) await sleep(20);
    this.signal.throwIfAborted();
  }

  /** Checks a promise; a false one is a violation. */
  expect(holds: boolean, words: string): void {
    if (!holds && this.violations.length < VIOLATIONS_MAX && !this.violations.includes(words))
      this.violations.push(words);
  }

  /** Ends the test, because what it works with is gone. */
  giveUp(reason: string): void {
    this.violations.push(reason);
    this.#giveUp.abort(new Error(reason));
  }

  described(): string {
    const statuses = [...this.answers].sort(([a], [b]) => a - b).map((each) => each.join(" × "));
    return [
      `${this.injected} faults, answers ${statuses.join(", ")}, ${this.unanswered} unanswered`,
      `invariants read ${this.reads} times, worst recovery ${(this.#worstRecoveryMs / 1000).toFixed(2)} s`,
      ...this.notes,
    ].join("\n");
  }
}

/** The built app on one port, which can be killed and started again. */
export class Host {
  readonly url: string;
  readonly dataDir: string;
  readonly #port: number;
  readonly #run: FaultRun;
  readonly #environment: Record<string, string>;
  #app: LaunchedApp | null = null;
  /** Whether the process is expected to exit. */
  #mayEnd = false;

  private constructor(run: FaultRun, port: number, environment: Record<string, string>, dataDir: string) {
    this.#run = run;
    this.#port = port;
    this.url = `http://127.0.0.1:${port}`;
    this.#environment = environment;
    this.dataDir = dataDir;
  }

  /** @param environment without `DATABASE_URL` the host runs a Postgres in its folder */
  static async make(run: FaultRun, environment: Record<string, string>, dataDir?: string): Promise<Host> {
    const all = {
      AUTH_SECRET: "auth-secret-of-this-fault-run",
      MINIMUM_FINALIZE_SECONDS: "0",
      SELF_CHECK_EVERY_HOURS: "0",
      ...environment,
    };
    const host = new Host(run, await freePort(), all, dataDir ?? run.folder());
    run.after(() => host.#end());
    return host;
  }

  /** Makes a host and waits until it serves. */
  static async started(...given: Parameters<typeof Host.make>): Promise<Host> {
    const host = await Host.make(...given);
    await host.launch();
    await host.app.ready();
    return host;
  }

  get app(): LaunchedApp {
    if (!this.#app) throw new Error("the host was not started");
    return this.#app;
  }

  /** Starts the app without waiting until it serves. */
  async launch(): Promise<void> {
    this.#mayEnd = this.#environment.CRASH_AT !== undefined;
    const app = await launchBuiltApp({
      environment: this.#environment,
      dataDir: this.dataDir,
      port: this.#port,
    });
    this.#app = app;
    void app.ended.then(() => {
      if (this.#mayEnd || app !== this.#app) return;
      this.#run.giveUp(
        `the app exited unexpectedly (${app.exitCode()}): ${uncaughtIn(app) ?? app.output().slice(-1500)}`,
      );
    });
  }

  async kill(): Promise<void> {
    await this.#stop("SIGKILL");
    this.#run.injected++;
  }

  /** A clean stop, so that the app also stops its Postgres. */
  async #end(): Promise<void> {
    if (this.#app) await this.#stop("SIGTERM");
  }

  async #stop(signal: NodeJS.Signals): Promise<void> {
    this.#mayEnd = true;
    await this.app.kill(signal);
    const line = uncaughtIn(this.app);
    this.#run.expect(!line, `the app logged: ${line?.slice(0, 300)}`);
  }
}

const uncaughtIn = (app: LaunchedApp) =>
  app
    .output()
    .split("\n")
    .find((line) => UNCAUGHT.test(line));

export interface Caller {
  contractAddress: string;
  token: string;
}

export const keyOf = (contract: string, batchId: string) => `${contract.toLowerCase()}/${batchId}`;

/** SHA-256 of the canonical text, as the service computes it. */
export const digestOf = (contractAddress: string, batch: NewBatch): string =>
  createHash("sha256")
    .update(canonicalBatchText({ ...batch, contractAddress }))
    .digest("hex");

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

/** @param hostUrl the migrated database of a host; without it, an empty one on the tests' Postgres */
export async function openWorld(run: FaultRun, hostUrl?: string): Promise<FaultWorld> {
  const own = hostUrl === undefined ? await testDatabase() : null;
  if (own) run.after(own.drop);
  const url = hostUrl ?? own!.url;
  const db = createDatabase({
    url,
    poolMax: 8,
    timeoutSeconds: 20,
    pooler: "none",
    statementSecondsMax: READ_SECONDS_MAX,
  });
  run.after(() => db.close());
  const callers: Caller[] = [];
  for (let i = 0; i < CONTRACTS; i++) {
    // Some contracts sort before all recipients in account order, some after.
    const address = `0x${i % 2 === 0 ? "00c0" : "ffc0"}${randomUUID().replaceAll("-", "")}0000`;
    const contractAddress = await newContract(db, { address });
    const scopes = ["batches:read" as const, "batches:write" as const];
    const input = { contractAddress, name: "faults", scopes, expiresAt: null };
    callers.push({ contractAddress, token: (await createAccessToken(testContext(db), input)).token });
  }
  const record = new AnswerRecord();
  return {
    url,
    db,
    callers,
    record,
    watch() {
      const stop = watchInvariants(db, record, run);
      run.after(stop);
      return stop;
    },
    async finish() {
      run.signal.throwIfAborted();
      // An abandoned claim takes a minute to expire; the short run expires it.
      if (run.short) await endLeases(db);
      await expectAllFinalized(db, run);
      await readInvariants(db, record, run);
      run.notes.push(`${record.submitted.size} batches acknowledged, ${record.cancelled.size} cancelled`);
    },
  };
}

interface SubmitterOptions {
  /** The URL of the next request. */
  baseUrl: string;
  clients: number;
  /** Share of batches cancelled after they were acknowledged. */
  cancelShare?: number;
  /** Longest `secondsToFinalize`. */
  waitSecondsMax?: number;
  /** Pause of a client between two batches. */
  pauseMs?: number;
  /** How often the client retries by itself: 3 when absent. */
  retries?: number;
  /** How long a batch is retried before its outcome stays unknown: a minute when absent. */
  persistMs?: number;
}

interface Submitters {
  /** Resolves when `least` batches are acknowledged or the test is over. */
  untilAcknowledged(least: number): Promise<void>;
  /** Stops after every client has finished its batch, and the current read of the invariants is done. */
  stop(): Promise<void>;
}

const WALLETS = 60;
const PERSIST_MS_DEFAULT = 60_000;

/**
 * Clients that submit small batches by PUT, and retry each under its id until it is acknowledged. Meanwhile the invariants are
 * read repeatedly.
 */
export function startSubmitters(run: FaultRun, world: FaultWorld, options: SubmitterOptions): Submitters {
  const stopWatch = world.watch();
  let stopped = false;
  let acknowledged = 0;
  const isOver = () => stopped || run.signal.aborted;

  async function work(index: number): Promise<void> {
    const caller = world.callers[index % world.callers.length]!;
    const send = clientOf(run, options.baseUrl, caller, options.retries);
    for (let count = 0; !isOver(); count++) {
      const batchId = `c${index}-${count}-${randomInt(1e9)}`;
      const batch = randomBatch(options.waitSecondsMax ?? 1);
      const persistMs = options.persistMs ?? PERSIST_MS_DEFAULT;
      if (await bringThrough(run, world, { caller, send, batchId, batch }, persistMs)) {
        acknowledged++;
        if (chance(0.1)) await repeat(run, { send, batchId, batch });
        if (chance(options.cancelShare ?? 0)) await cancel(world, { caller, send, batchId });
      }
      if (options.pauseMs) await sleep(options.pauseMs * between(0.5, 1.5));
    }
  }

  const working = Promise.all(Array.from({ length: options.clients }, (_, index) => work(index)));
  working.catch(() => undefined);
  const stop = async () => {
    stopped = true;
    await working;
    await stopWatch();
  };
  run.after(stop);
  return {
    async untilAcknowledged(least) {
      while (acknowledged < least && !run.signal.aborted) await sleep(100);
    },
    stop,
  };
}

export function randomBatch(waitSecondsMax: number): NewBatch {
  const first = 0x10_0000 + randomInt(WALLETS);
  return {
    pointType: chance(0.8) ? "PHASE2_POINTS" : "PHASE2_GOLD",
    secondsToFinalize: randomInt(waitSecondsMax + 1),
    transfers: Array.from({ length: 1 + randomInt(5) }, (_, row) => ({
      toAddress: wallet(first + row),
      points: `${1 + randomInt(50)}.${1 + randomInt(9)}`,
    })),
  };
}

export function clientOf(run: FaultRun, baseUrl: string, caller: Caller, retries = 3) {
  return createClient({
    baseUrl,
    token: caller.token,
    contractAddress: caller.contractAddress,
    fetch: run.fetch,
    retries,
    timeoutMs: 20_000,
  });
}

type Client = ReturnType<typeof clientOf>;
interface Sent {
  caller: Caller;
  send: Client;
  batchId: string;
  batch: NewBatch;
}

/** @returns whether the batch was acknowledged */
async function bringThrough(
  run: FaultRun,
  world: FaultWorld,
  sent: Sent,
  persistMs: number,
): Promise<boolean> {
  const key = keyOf(sent.caller.contractAddress, sent.batchId);
  const digest = digestOf(sent.caller.contractAddress, sent.batch);
  world.record.unknown.set(key, digest);
  for (const endsAt = performance.now() + persistMs; performance.now() < endsAt; ) {
    try {
      await sent.send.submitBatch(sent.batch, { batchId: sent.batchId });
      world.record.unknown.delete(key);
      world.record.submitted.set(key, digest);
      return true;
    } catch (error) {
      if (!(error instanceof ClientError)) throw error;
      if (error instanceof ApiProblem && error.status < 500) {
        run.expect(false, `a submit was refused: ${error.message}`);
        return false;
      }
    }
    await sleep(50);
  }
  return false;
}

async function repeat(run: FaultRun, { send, batchId, batch }: Omit<Sent, "caller">): Promise<void> {
  try {
    const { replayed } = await send.submitBatch(batch, { batchId });
    run.expect(replayed, `${batchId} was acknowledged, then stored a second time`);
  } catch (error) {
    if (!(error instanceof ClientError)) throw error;
    if (error instanceof ApiProblem && error.status < 500)
      run.expect(false, `a repeat was refused: ${error.message}`);
  }
}

/** A 409 means that it was claimed, or cancelled by an attempt whose reply was lost. */
async function cancel(world: FaultWorld, { caller, send, batchId }: Omit<Sent, "batch">): Promise<void> {
  try {
    await send.cancelBatch(batchId);
    world.record.cancelled.add(keyOf(caller.contractAddress, batchId));
  } catch (error) {
    if (!(error instanceof ClientError)) throw error;
  }
}
