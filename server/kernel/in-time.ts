import type { Database } from "@/db/client";
import { type ClockReading, Errand, isTooLate, readDatabaseClock, TooLateError } from "@/db/errand";
import { onErrand } from "@/db/on-errand";
import { DomainError } from "@/terms/problems";
import type { RequestContext } from "./context";
import { causesOf, isDatabaseUnavailable, isReadOnly, isStatementTimeout } from "./database-errors";
import { perDatabase } from "./process";
import { isDistributed } from "./shards";
import { notApplied, outcomeUnknown } from "./to-domain-error";

/** Statements end this long before the caller gives up, so that the caller hears what came of them. */
export const REPLY_MS = 500;
export const LOOK_EVERY_MS = 50;

/** Until then the clock of the database has hardly drifted. */
const CLOCK_MS_MAX = 10_000;

interface Reading {
  clock: ClockReading;
  isCitus: boolean;
}

const memory = perDatabase(() => ({ reading: null as Promise<Reading> | null }));

/** The database's clock, which may differ from ours by hours, as it was read a few seconds ago. */
function readClock(db: Database): Promise<Reading> {
  const known = memory(db);
  if (known.reading) return known.reading;
  const forget = () => {
    known.reading = null;
  };
  known.reading = askForTime(db);
  known.reading.then(() => setTimeout(forget, CLOCK_MS_MAX).unref(), forget);
  return known.reading;
}

async function askForTime(db: Database): Promise<Reading> {
  const isCitus = await isDistributed(db);
  return { clock: await readDatabaseClock(db), isCitus };
}

/**
 * Makes a change of which nothing takes effect after its caller was answered.
 * @param waitMs how long a caller waits whose request has no deadline
 * @throws DomainError `unavailable`, when the time is over or the database away
 */
export async function inTime<T>(
  ctx: RequestContext,
  waitMs: number,
  change: (on: Pick<RequestContext, "db" | "requireWanted" | "timeLeftMs">) => Promise<T>,
): Promise<T> {
  const startedAt = performance.now();
  const timeLeftMs = ctx.timeLeftMs ?? (() => waitMs - (performance.now() - startedAt));
  const errand = new Errand(() => timeLeftMs() - REPLY_MS, ctx.requireWanted);
  const on = {
    db: onErrand(ctx.db, [errand]),
    requireWanted: () => errand.requireWanted(),
    timeLeftMs: errand.leftMs,
  };
  let isCitus = false;
  const work = async () => {
    ({ clock: errand.clock, isCitus } = await readClock(ctx.db));
    return await change(on);
  };
  try {
    if (!ctx.whenShort) return await beforeItsEnd(errand, work());
    ctx.whenShort(() => tooLate(errand));
    return await work();
  } catch (error) {
    if (!isCutOff(error)) throw error;
    // A worker commits by itself, perhaps just when the coordinator cancels.
    const mayBeStored = errand.mayBeStored() || (isCitus && isStatementTimeout(error));
    throw mayBeStored ? outcomeUnknown(error) : notApplied(error);
  } finally {
    errand.end();
  }
}

/** What to answer when the time is over and nothing is under way that decides what comes of it. */
const tooLate = (errand: Errand): Error | null =>
  errand.leftMs() <= 0 && errand.underWay === 0 && !errand.mayBeStored()
    ? notApplied(new TooLateError())
    : null;

function beforeItsEnd<T>(errand: Errand, work: Promise<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    const timer = setInterval(() => {
      const error = tooLate(errand);
      if (error) reject(error);
    }, LOOK_EVERY_MS);
    const stop = () => clearInterval(timer);
    work.then(resolve, reject).then(stop, stop);
  });
}

/** An error of the network, the database or its bounds, which says nothing about the request. */
function isCutOff(error: unknown): boolean {
  const causes = causesOf(error);
  if (causes.some((cause) => cause instanceof DomainError) || isReadOnly(error)) return false;
  return causes.some(isTooLate) || isDatabaseUnavailable(error);
}
