/** The cost of finalizing, fitted to measured chunks, in milliseconds of one chunk alone. */
export interface ChunkCost {
  base: number;
  perBatch: number;
  perTransfer: number;
  /** How much longer a chunk takes per additional finalizer, because they share cores, locks and the log. */
  perNeighbour: number;
}

export interface WaveBatch {
  /** Milliseconds from the start. */
  dueAt: number;
  transfers: number;
}

export interface Machine {
  finalizers: number;
  cost: ChunkCost;
}

/** The limits of server/finalizer. */
export interface Bounds {
  chunkBatchesMax: number;
  chunkTransfersMax: number;
  tickMs: number;
  budgetMs: number;
  /** Bounded work after a run, in which it does not finalize: indexing by recipient. */
  afterRunMs: number;
}

/**
 * Simulates finalizers that take due batches chunk by chunk, longest due first, like the service.
 * @param batches in order of `dueAt`
 * @returns milliseconds between due and finalized, in the order of `batches`
 */
export function simulateWaves(batches: readonly WaveBatch[], machine: Machine, bounds: Bounds): number[] {
  const lags = new Array<number>(batches.length).fill(0);
  const finalizers = Array.from({ length: machine.finalizers }, (_, at) => ({
    // Their ticks are not aligned.
    readyAt: (at * bounds.tickMs) / machine.finalizers,
    runEndsAt: 0,
    busyUntil: 0,
  }));
  let next = 0;
  while (next < batches.length) {
    const finalizer = finalizers.reduce((first, one) => (one.readyAt < first.readyAt ? one : first));
    const now = finalizer.readyAt;
    if (finalizer.runEndsAt === 0) finalizer.runEndsAt = now + bounds.budgetMs;
    if (now >= finalizer.runEndsAt) {
      finalizer.readyAt = now + bounds.afterRunMs + bounds.tickMs;
      finalizer.runEndsAt = 0;
      continue;
    }
    const from = next;
    let transfers = 0;
    while (
      next < batches.length &&
      batches[next]!.dueAt <= now &&
      next - from < bounds.chunkBatchesMax &&
      transfers < bounds.chunkTransfersMax
    )
      transfers += batches[next++]!.transfers;
    if (next === from) {
      finalizer.readyAt = now + bounds.tickMs;
      finalizer.runEndsAt = 0;
      continue;
    }
    const neighbours = finalizers.filter((one) => one !== finalizer && one.busyUntil > now).length;
    const { base, perBatch, perTransfer, perNeighbour } = machine.cost;
    const alone = base + perBatch * (next - from) + perTransfer * transfers;
    const doneAt = now + alone * (1 + perNeighbour * neighbours);
    for (let at = from; at < next; at++) lags[at] = doneAt - batches[at]!.dueAt;
    finalizer.busyUntil = doneAt;
    finalizer.readyAt = doneAt;
  }
  return lags;
}

/** `count` batches of one size, all due within `spreadMs` from the start. */
export function wave(count: number, transfers: number, spreadMs = 0): WaveBatch[] {
  return Array.from({ length: count }, (_, at) => ({ dueAt: (spreadMs * at) / count, transfers }));
}

/** The value below which a share of the values lies. */
export function quantile(sorted: readonly number[], share: number): number {
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))]!;
}
