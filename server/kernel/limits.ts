import type { TransactionSql } from "postgres";
import { DomainError, type ProblemCode } from "@/terms/problems";
import type { ServiceContext } from "./context";
import { isStatementTimeout } from "./database-errors";
import { single } from "./process";
import { settings } from "./settings";

const after = (code: ProblemCode, detail: string, seconds: number, cause?: unknown) =>
  new DomainError(code, detail, { headers: { "Retry-After": String(seconds) }, cause });

/** The error for a caller that has to wait. @param reason a sentence */
export function rateLimited(reason: string, seconds: number): DomainError {
  const unit = seconds === 1 ? "second" : "seconds";
  return after("rate_limited", `${reason} Retry in ${seconds} ${unit}.`, seconds);
}

/** The error for what cannot be done now, for reasons that pass. */
export const unavailable = (detail: string, seconds: number, cause?: unknown): DomainError =>
  after("unavailable", detail, seconds, cause);

interface TurnRules<Claim> {
  /** Whether work may start next to what is running. */
  fits(running: readonly Claim[], claim: Claim): boolean;
  /** Whether work that does not fit may wait for its turn. */
  mayWait(waiting: readonly Claim[], claim: Claim): boolean;
  waitMsMax: number;
}

interface Waiter<Claim> {
  claim: Claim;
  start: () => void;
}

/** Limits what this process does at the same time. Work that does not fit waits for its turn, in order of arrival. */
export class Turns<Claim> {
  readonly #rules: TurnRules<Claim>;
  readonly #running: Claim[] = [];
  readonly #waiting = new Set<Waiter<Claim>>();

  constructor(rules: TurnRules<Claim>) {
    this.#rules = rules;
  }

  /** Runs work when its turn comes. @param busy the error when too much waits, or the turn is late: the work never runs */
  async run<T>(claim: Claim, work: () => Promise<T>, busy: () => Error): Promise<T> {
    if (this.#rules.fits(this.#running, claim)) this.#running.push(claim);
    else await this.#wait(claim, busy);
    try {
      return await work();
    } finally {
      this.#running.splice(this.#running.indexOf(claim), 1);
      for (const waiter of this.#waiting) if (this.#rules.fits(this.#running, waiter.claim)) waiter.start();
    }
  }

  #wait(claim: Claim, busy: () => Error): Promise<void> {
    const claims = [...this.#waiting].map((waiter) => waiter.claim);
    if (!this.#rules.mayWait(claims, claim)) return Promise.reject(busy());
    return new Promise((resolve, reject) => {
      const leave = () => {
        clearTimeout(timer);
        this.#waiting.delete(waiter);
      };
      const waiter: Waiter<Claim> = {
        claim,
        start: () => {
          leave();
          this.#running.push(claim);
          resolve();
        },
      };
      const timer = setTimeout(() => {
        leave();
        reject(busy());
      }, this.#rules.waitMsMax);
      this.#waiting.add(waiter);
    });
  }
}

/** Turns of work that waits in one line per key, such as a person. @param runningMax in all lines together */
export function linesOf(
  perLineMax: number,
  waitingPerLineMax: number,
  waitSecondsMax: number,
  runningMax = Number.POSITIVE_INFINITY,
): Turns<string> {
  const countOf = (lines: readonly string[], line: string) => lines.filter((one) => one === line).length;
  return new Turns<string>({
    fits: (running, line) => running.length < runningMax && countOf(running, line) < perLineMax,
    mayWait: (waiting, line) => countOf(waiting, line) < waitingPerLineMax,
    waitMsMax: waitSecondsMax * 1000,
  });
}

/** Reports that run at the same time in this process. Each may read weeks of a busy contract. */
const RUNNING_MAX = 2;
const RUNNING_PER_CONTRACT = 1;
const WAITING_PER_CONTRACT_MAX = 10;
const WAIT_SECONDS_MAX = 5;
const RETRY_AFTER_SECONDS = 5;

const turns = () =>
  single("report-turns", () =>
    linesOf(RUNNING_PER_CONTRACT, WAITING_PER_CONTRACT_MAX, WAIT_SECONDS_MAX, RUNNING_MAX),
  );

/** Holds no connection while it waits. @throws DomainError `unavailable` when its turn does not come in time; it then never runs */
export const inReportTurn = <T>(contract: string, compute: () => Promise<T>): Promise<T> =>
  turns().run(contract, compute, () =>
    retryLater("Other reports are being computed. Retry in a few seconds."),
  );

export const retryLater = (detail: string, cause?: unknown) =>
  unavailable(detail, RETRY_AFTER_SECONDS, cause);

/** A quota per minute is split into shorter windows, so that it cannot be used up in one burst. */
export const QUOTA_WINDOW_SECONDS = 10;

export const perWindow = (perMinute: number) => Math.ceil((perMinute * QUOTA_WINDOW_SECONDS) / 60);

type Window = { count: number; endsAtMs: number };

/** Windows begin with a caller's first request. @returns null within the quota, otherwise the seconds until the window ends */
export function overQuota(name: string, max: number, caller: string): number | null {
  // Ordered by the end of the window, because all windows have the same length.
  const windows = single(`quota of ${name}`, () => new Map<string, Window>());
  const nowMs = performance.now();
  for (const [past, { endsAtMs }] of windows) {
    if (endsAtMs > nowMs) break;
    windows.delete(past);
  }
  const window = windows.get(caller) ?? { count: 0, endsAtMs: nowMs + QUOTA_WINDOW_SECONDS * 1000 };
  windows.set(caller, window);
  window.count++;
  return window.count <= max ? null : Math.max(1, Math.ceil((window.endsAtMs - nowMs) / 1000));
}

/** `until` is undefined while it is being read. */
type Kept = { read: Promise<unknown>; until?: number };

/** Entries kept per group, the newest ones, without those that are being read. */
const ENTRIES_MAX = 500;

/**
 * Callers share one read, however long it takes, and then its result for some seconds. A failed read is not kept. It limits what
 * scrapes, open pages and visitors make the database do.
 */
export function cached<T>(group: string, key: string, seconds: number, read: () => Promise<T>): Promise<T> {
  const entries = single(`cached ${group}`, () => new Map<string, Kept>());
  const last = entries.get(key);
  if (last && (last.until === undefined || performance.now() < last.until)) return last.read as Promise<T>;
  const reading = read();
  const entry: Kept = { read: reading };
  entries.delete(key);
  entries.set(key, entry);
  for (const [oldest, { until }] of entries) {
    if (entries.size <= ENTRIES_MAX) break;
    if (until !== undefined) entries.delete(oldest);
  }
  reading.then(
    () => {
      entry.until = performance.now() + seconds * 1000;
    },
    () => void entries.delete(key),
  );
  return reading;
}

/** Maximum milliseconds to wait for the call in progress, so that a stuck call does not delay the others. */
const PATIENCE_MS = 10;

interface Waiting<Question, Answer> {
  question: Question;
  resolve(answer: Answer): void;
  reject(error: unknown): void;
}

/**
 * A lone question is asked immediately; questions that arrive during a call are asked together afterwards, never by an earlier
 * call. Needed by "submit 10 at 16" in docs/benchmarks.md: 930 requests per second without it, 1,100 with it.
 */
export class Coalescer<Question, Answer> {
  readonly #ask: (questions: Question[]) => Promise<Answer[]>;
  #waiting: Waiting<Question, Answer>[] = [];
  #underWay = 0;
  #timer: NodeJS.Timeout | undefined;

  /** @param ask must return one answer per question, in order */
  constructor(ask: (questions: Question[]) => Promise<Answer[]>) {
    this.#ask = ask;
  }

  ask(question: Question): Promise<Answer> {
    return new Promise((resolve, reject) => {
      this.#waiting.push({ question, resolve, reject });
      if (this.#underWay === 0) void this.#send();
      else this.#timer ??= setTimeout(() => void this.#send(), PATIENCE_MS);
    });
  }

  async #send(): Promise<void> {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    const sent = this.#waiting;
    this.#waiting = [];
    this.#underWay++;
    try {
      const answers = await this.#ask(sent.map(({ question }) => question));
      sent.forEach(({ resolve }, at) => void resolve(answers[at]!));
    } catch (error) {
      for (const { reject } of sent) reject(error);
    }
    this.#underWay--;
    if (this.#underWay === 0 && this.#waiting.length > 0) void this.#send();
  }
}

/** A query of a report that takes longer is stopped. */
const SECONDS_MAX = 5;
/** Of `DATABASE_TIMEOUT_SECONDS`, so that Postgres stops the query before the driver gives up without knowing why. */
const SHARE_MAX = 0.8;

const TOO_LONG = "The figures took too long to compute. Retry when the service is less busy.";

/** Reads a contract's figures in its turn, in one snapshot. @throws DomainError `unavailable` when it takes too long */
export async function readReport<T>(
  ctx: ServiceContext,
  contract: Buffer,
  reads: (tx: TransactionSql) => Promise<T>,
  { secondsMax = SECONDS_MAX, tooLong = TOO_LONG }: { secondsMax?: number; tooLong?: string } = {},
): Promise<T> {
  const milliseconds = Math.min(secondsMax, settings().DATABASE_TIMEOUT_SECONDS * SHARE_MAX) * 1000;
  try {
    return await inReportTurn(
      contract.toString("hex"),
      async () =>
        (await ctx.db.sql.begin("isolation level repeatable read read only", async (tx) => {
          await tx`select set_config('statement_timeout', ${String(milliseconds)}, true)`;
          return await reads(tx);
        })) as T,
    );
  } catch (error) {
    if (!isStatementTimeout(error)) throw error;
    throw retryLater(tooLong, error);
  }
}
