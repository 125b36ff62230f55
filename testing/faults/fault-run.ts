import { createHash, randomUUID } from "node:crypto";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { expect, test } from "vitest";
import type { NewBatch } from "@/client/src/shapes";
import { createDatabase, type Database } from "@/db/client";
import { freePort } from "@/db/embedded-cluster";
import { createAccessToken } from "@/server/auth/tokens";
import { canonicalBatchText } from "@/server/batches/submit/digest";
import { endLeases } from "../catch-up";
import { newContract, testContext } from "../factories";
import { type LaunchedApp, launchBuiltApp } from "../launch-app";
import { testDatabase } from "../test-database";
import { AnswerRecord, expectAllFinalized, readInvariants, watchInvariants } from "./invariants";

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
