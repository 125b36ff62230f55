import { createHash, randomInt, randomUUID } from "node:crypto";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { expect, test } from "vitest";
import { ApiProblem, ClientError } from "@/client/src/client-error";
import { createClient } from "@/client/src/create-client";
import type { NewBatch } from "@/client/src/shapes";
import { createDatabase, type Database } from "@/db/client";
import { createAccessToken } from "@/server/auth/tokens";
import type { SubmitBatchInput } from "@/server/batches/submit/submit-schema";
import { isDatabaseUnavailable } from "@/server/kernel/database-errors";
import { inOneSnapshot, SnapshotUnavailableError } from "@/server/kernel/shards";
import { readLedger } from "@/server/ledger/run-check";
import { CHECKS } from "@/server/operations/self-check";
import { canonicalBatchText } from "@/terms/batch-text";
import { endLeases } from "@/testing/catch-up";
import { newContract, testContext, times, wallet } from "@/testing/factories";
import { appPort, type LaunchedApp, launchBuiltApp } from "@/testing/launch-app";
import { testDatabase } from "@/testing/test-database";

const TEST_SECONDS_MAX = 300;
const FINALIZED_WITHIN_SECONDS = 75;
const READ_EVERY_MS = 1000;
const CONTRACTS = 3;
const WALLETS = 60;
/** Log output of a process that had an uncaught error. */
const UNCAUGHT = /"level":60|uncaught error|unhandled rejection|uncaughtException|TypeError/;

export const between = (least: number, most: number) => least + Math.random() * (most - least);
export const chance = (probability: number) => Math.random() < probability;

/** What one test has seen so far. */
export class FaultRun {
  /** Requests that got an answer, by status. */
  readonly answers = new Map<number, number>();
  /** Requests whose connection ended without an answer, or that waited too long for one. */
  unanswered = 0;
  readonly violations = new Set<string>();
  /** Aborted when the test runs out of time, or what it works with is gone. */
  readonly signal: AbortSignal;
  readonly #giveUp = new AbortController();
  #successes = 0;

  /** @param after takes what runs when the test is over, in reverse order */
  constructor(
    signal: AbortSignal,
    readonly after: (end: () => Promise<unknown>) => void,
  ) {
    this.signal = AbortSignal.any([signal, this.#giveUp.signal]);
  }

  /** A new folder that Postgres can enter as another user. */
  folder(): string {
    const dir = mkdtempSync(path.join(tmpdir(), "ptb-fault-"));
    this.after(async () => rmSync(dir, { recursive: true, force: true, maxRetries: 5, retryDelay: 200 }));
    return dir;
  }

  /** A `fetch` that counts every answer, and every request that got none. */
  readonly fetch: typeof fetch = async (input, init) => {
    const reply = await fetch(input, init).catch((error: unknown) => {
      this.unanswered++;
      throw error;
    });
    const { status } = reply;
    this.answers.set(status, (this.answers.get(status) ?? 0) + 1);
    if (status < 300) this.#successes++;
    if (status === 503) this.expect(reply.headers.has("retry-after"), "a 503 came without Retry-After");
    else this.expect(status < 500, `a request was answered ${status}`);
    return reply;
  };

  async untilRecovered(): Promise<void> {
    const before = this.#successes;
    while (this.#successes === before && !this.signal.aborted) await sleep(20);
    this.signal.throwIfAborted();
  }

  /** Checks a promise; a false one is a violation. */
  expect(holds: boolean, words: string): void {
    if (!holds) this.violations.add(words);
  }

  /** Ends the test, because what it works with is gone. */
  giveUp(reason: string): void {
    this.violations.add(reason);
    this.#giveUp.abort(new Error(reason));
  }
}

/** A test that breaks something. */
export function faultTest(name: string, play: (run: FaultRun) => Promise<void>): void {
  test(name, { timeout: TEST_SECONDS_MAX * 1000 }, async ({ signal, onTestFinished }) => {
    const run = new FaultRun(signal, (end) => onTestFinished(async () => void (await end())));
    const failure = await play(run).catch((error: Error) => error);
    // First, because a request that fails may only mean that the app has exited.
    expect([...run.violations]).toEqual([]);
    if (failure) throw failure;
  });
}

/** The built app on one port, which can be killed and started again. */
export class Host {
  readonly url: string;
  #app: LaunchedApp | null = null;
  /** Whether the process is expected to exit. */
  #mayEnd = false;

  private constructor(
    readonly run: FaultRun,
    readonly port: number,
    readonly environment: Record<string, string>,
    readonly dataDir: string,
  ) {
    this.url = `http://127.0.0.1:${port}`;
  }

  /** @param environment without `DATABASE_URL` the host runs a Postgres in its folder */
  static async make(run: FaultRun, environment: Record<string, string>, dataDir?: string): Promise<Host> {
    const all = {
      AUTH_SECRET: "auth-secret-of-this-fault-run",
      MINIMUM_FINALIZE_SECONDS: "0",
      SELF_CHECK_EVERY_HOURS: "0",
      ...environment,
    };
    const host = new Host(run, await appPort(), all, dataDir ?? run.folder());
    // A clean stop, so that the app also stops its Postgres.
    run.after(async () => host.#app && host.stop("SIGTERM"));
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
    const { environment, dataDir, port } = this;
    this.#mayEnd = environment.CRASH_AT !== undefined;
    const app = await launchBuiltApp({ environment, dataDir, port });
    this.#app = app;
    void app.ended.then(() => {
      if (this.#mayEnd || app !== this.#app) return;
      this.run.giveUp(`the app exited unexpectedly (${app.exitCode()}): ${app.output().slice(-1500)}`);
    });
  }

  async stop(signal: NodeJS.Signals): Promise<void> {
    this.#mayEnd = true;
    await this.app.kill(signal);
    const lines = this.app.output().split("\n");
    const line = lines.find((each) => UNCAUGHT.test(each));
    this.run.expect(!line, `the app logged: ${line?.slice(0, 300)}`);
  }
}

export const keyOf = (contract: string, batchId: string) => `${contract.toLowerCase()}/${batchId}`;

/** SHA-256 of the canonical text, as the service computes it. */
export const digestOf = (contractAddress: string, batch: NewBatch | SubmitBatchInput): string =>
  createHash("sha256")
    .update(canonicalBatchText({ ...batch, contractAddress }))
    .digest("hex");

/** What the service acknowledged, from the clients' own record of 2xx answers. A key is `contract/id`. */
class AnswerRecord {
  /** The digest of each batch that was sent and acknowledged. */
  readonly submitted = new Map<string, string>();
  /** Batches whose cancel was acknowledged. */
  readonly cancelled = new Set<string>();
  /** Sent, but neither acknowledged nor refused yet. */
  readonly unknown = new Map<string, string>();
  /** Of each attempt the answer said that it was not applied. */
  readonly notApplied = new Set<string>();
}

/** Checks in one snapshot the ledger's rules, and what was acknowledged against the clients' own record. */
export async function readInvariants({ db, record }: FaultWorld, run: FaultRun): Promise<void> {
  // Copied first, because batches acknowledged during the read may be newer than the snapshot.
  const submitted = [...record.submitted];
  const cancelled = [...record.cancelled];
  await inOneSnapshot(db, "read only", async (tx) => {
    const report = await readLedger(tx, CHECKS);
    for (const { rule, detail } of report.findings) run.expect(false, `${rule}: ${detail}`);
    const stored = await tx<{ key: string; digest: string; status: string }[]>`
      select '0x' || encode(contract_address, 'hex') || '/' || id as key,
        encode(digest, 'hex') as digest, status
      from batches`;
    const byKey = new Map(stored.map((batch) => [batch.key, batch]));
    run.expect(byKey.size === stored.length, "a contract has the same id more than once");
    for (const [key, digest] of submitted) {
      const found = byKey.get(key)?.digest;
      run.expect(found === digest, `${key} was acknowledged but is ${found ? "another batch" : "lost"}`);
    }
    for (const [key, { digest }] of byKey) {
      const sent = record.submitted.get(key) ?? record.unknown.get(key);
      const unsent = record.notApplied.has(key) ? "after “not applied” was the answer" : "but was never sent";
      run.expect(digest === sent, `${key} is stored ${sent ? "with other content" : unsent}`);
    }
    for (const key of cancelled) {
      const status = byKey.get(key)?.status;
      run.expect(status === "CANCELLED", `the cancel of ${key} was acknowledged but it is ${status}`);
    }
  });
}

/** Waits until no batch is due and not on hold, and none is FINALIZING. */
async function expectAllFinalized(db: Database, run: FaultRun): Promise<void> {
  for (const startedAt = performance.now(); ; await sleep(250)) {
    const [left] = await db.sql<{ count: number }[]>`
      select count(*)::int as count
      from batches where status = 'FINALIZING'
        or (status = 'PENDING' and held_at is null and not awaits_approval and finalize_at <= now())`;
    if (left!.count === 0) return;
    if (performance.now() - startedAt > FINALIZED_WITHIN_SECONDS * 1000)
      return run.expect(
        false,
        `${left!.count} batches were still due ${FINALIZED_WITHIN_SECONDS} s after the faults ended`,
      );
  }
}

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
  /** After the faults: waits until everything is finalized, then checks everything once more. */
  finish(): Promise<void>;
}

/** @param hostUrl the migrated database of a host; without it, an empty one on the tests' Postgres */
export async function openWorld(run: FaultRun, hostUrl?: string): Promise<FaultWorld> {
  const own = hostUrl === undefined ? await testDatabase() : null;
  if (own) run.after(own.drop);
  const url = hostUrl ?? own!.url;
  // A minute is enough to read a whole ledger on a busy machine.
  const db = createDatabase({ url, poolMax: 8, timeoutSeconds: 20, pooler: "none", statementSecondsMax: 60 });
  run.after(() => db.close());
  const callers = await times(CONTRACTS, async (index) => {
    // Some contracts sort before all recipients in account order, some after.
    const address = `0x${index % 2 === 0 ? "00c0" : "ffc0"}${randomUUID().replaceAll("-", "")}0000`;
    const contractAddress = await newContract(db, { address });
    const scopes = ["batches:read" as const, "batches:write" as const];
    const input = { contractAddress, name: "faults", scopes, expiresAt: null };
    return { contractAddress, token: (await createAccessToken(testContext(db), input)).token };
  });
  const world: FaultWorld = {
    url,
    db,
    callers,
    record: new AnswerRecord(),
    async finish() {
      run.signal.throwIfAborted();
      // An abandoned claim would take a minute to expire.
      await endLeases(db);
      await expectAllFinalized(db, run);
      await readInvariants(world, run);
    },
  };
  return world;
}

interface SubmitterOptions {
  /** The URL of the next request. */
  baseUrl: string;
  clients: number;
  /** Share of batches cancelled after they were acknowledged. */
  cancelShare?: number;
  /** Longest `secondsToFinalize`. */
  waitSecondsMax?: number;
  /** How often the client retries by itself. */
  retries?: number;
  /** How long a batch is retried before its outcome stays unknown. */
  persistMs?: number;
}

/**
 * Clients that submit small batches by PUT, and retry each under its id until it is acknowledged. Meanwhile
 * the invariants are read repeatedly.
 */
export function startSubmitters(
  run: FaultRun,
  world: FaultWorld,
  {
    baseUrl,
    clients,
    cancelShare = 0,
    waitSecondsMax = 1,
    retries = 3,
    persistMs = 60_000,
  }: SubmitterOptions,
) {
  const { record } = world;
  let stopped = false;

  async function work(index: number): Promise<void> {
    const caller = world.callers[index % world.callers.length]!;
    const client = clientOf(run, baseUrl, caller, retries);
    for (let count = 0; !stopped && !run.signal.aborted; count++) {
      const batchId = `c${index}-${count}-${randomInt(1e9)}`;
      const key = keyOf(caller.contractAddress, batchId);
      const batch = randomBatch(waitSecondsMax);
      // A client that retries by itself reports only its last attempt.
      let isOpen = retries > 0;
      const submit = () => {
        const sent = client.submitBatch(batch, { batchId });
        sent.catch((error: unknown) => {
          isOpen ||= !(error instanceof ApiProblem && error.message.includes("was not applied"));
        });
        return answerOf(run, sent);
      };
      const digest = digestOf(caller.contractAddress, batch);
      record.unknown.set(key, digest);
      let answer: Awaited<ReturnType<typeof submit>> = null;
      for (const endsAt = performance.now() + persistMs; !answer && performance.now() < endsAt; ) {
        answer = await submit();
        if (!answer) await sleep(50);
      }
      if (!answer && isOpen) continue;
      record.unknown.delete(key);
      if (!answer) {
        record.notApplied.add(key);
        continue;
      }
      record.submitted.set(key, digest);
      const repeated = chance(0.1) ? await submit() : null;
      run.expect(repeated?.replayed !== false, `${batchId} was acknowledged, then stored a second time`);
      // A 409 means that it was claimed, or cancelled by an attempt whose reply was lost.
      if (chance(cancelShare) && (await answerOf(run, client.cancelBatch(batchId), 409)))
        record.cancelled.add(key);
    }
  }

  async function watch(): Promise<void> {
    for (; !stopped; await sleep(READ_EVERY_MS))
      await readInvariants(world, run).catch((error: unknown) => {
        if (!isDatabaseUnavailable(error) && !(error instanceof SnapshotUnavailableError)) throw error;
      });
  }

  const working = Promise.all([watch(), times(clients, work)]);
  working.catch(() => undefined);
  /** Stops after every client has finished its batch, and the current read of the invariants is done. */
  const stop = async () => {
    stopped = true;
    await working;
  };
  run.after(stop);
  return {
    /** Resolves when `least` batches are acknowledged or the test is over. */
    async untilAcknowledged(least: number) {
      while (record.submitted.size < least && !run.signal.aborted) await sleep(100);
    },
    stop,
  };
}

/** A call's answer; null without one, or with a 5xx. Any other refusal than `allowed` is a violation. */
async function answerOf<T>(run: FaultRun, call: Promise<T>, allowed?: number): Promise<T | null> {
  try {
    return await call;
  } catch (error) {
    if (!(error instanceof ClientError)) throw error;
    const isRefused = error instanceof ApiProblem && error.status < 500 && error.status !== allowed;
    run.expect(!isRefused, `a request was refused: ${error.message}`);
    return null;
  }
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

export const clientOf = (run: FaultRun, baseUrl: string, caller: Caller, retries = 3) =>
  createClient({ baseUrl, ...caller, fetch: run.fetch, retries, timeoutMs: 20_000 });
