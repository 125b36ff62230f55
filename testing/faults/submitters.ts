import { randomInt } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import { ApiProblem } from "@/client/src/api-problem";
import { ClientError } from "@/client/src/client-error";
import { createClient } from "@/client/src/create-client";
import type { NewBatch } from "@/client/src/shapes";
import { wallet } from "../factories";
import { between, type Caller, chance, digestOf, type FaultRun, type FaultWorld, keyOf } from "./fault-run";

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
