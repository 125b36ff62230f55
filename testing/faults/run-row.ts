import { monitorEventLoopDelay } from "node:perf_hooks";
import type { Shape } from "../cluster/start-cluster";
import { haveTool } from "../install-tool.mjs";
import { Cleanup } from "./cleanup";
import type { FaultRow } from "./fault-row";
import { Random } from "./random";
import type { RowResult } from "./results";
import { Tally } from "./tally";

/** How long a row may take to finish after its time is over. */
const GRACE_MS = 15_000;

/** Runs one row within its time limit and cleans up after it. Never throws. */
export async function runRow(
  row: FaultRow,
  options: { short: boolean; seed: number; allowMissing: boolean; shape?: Shape | null },
): Promise<RowResult> {
  const startedAt = performance.now();
  const tally = new Tally();
  const result = (outcome: RowResult["outcome"], reason: string | null = null): RowResult => ({
    row,
    short: options.short,
    shape: options.shape ?? null,
    seed: options.seed,
    outcome,
    reason,
    tally,
    seconds: (performance.now() - startedAt) / 1000,
  });
  const impossible = row.impossible?.() ?? null;
  if (impossible) return result("skipped", impossible);
  if (row.tool && !haveTool(row.tool))
    return result(options.allowMissing ? "skipped" : "failed", `${row.tool.program} is not installed`);

  const ownDelay = monitorEventLoopDelay({ resolution: 20 });
  ownDelay.enable();
  const cleanup = new Cleanup();
  const abort = new AbortController();
  const giveUp = (reason: string) => abort.abort(new Error(reason));
  const onSignal = () => abort.abort(new Error("stopped by a signal"));
  process.on("SIGINT", onSignal).on("SIGTERM", onSignal);
  // Rows of the short run share the machine.
  const slowed = (options.short ? 2 : 1) * (options.shape ? 3 : 1);
  const secondsMax = slowed * row.secondsMax[options.short ? "short" : "full"];
  const timer = setTimeout(
    () => abort.abort(new Error(`took longer than ${secondsMax} s`)),
    secondsMax * 1000,
  );
  let reason: string | null = null;
  try {
    const random = new Random(options.seed);
    await Promise.race([
      row.run({
        short: options.short,
        shape: options.shape ?? null,
        random,
        tally,
        cleanup,
        signal: abort.signal,
        giveUp,
      }),
      endOf(abort.signal),
    ]);
    abort.signal.throwIfAborted();
  } catch (error) {
    reason = error instanceof Error ? (error.stack ?? error.message) : String(error);
  }
  clearTimeout(timer);
  ownDelay.disable();
  const seconds = (ownDelay.max / 1e9).toFixed(2);
  tally.notes.push(
    `this program itself was stalled for up to ${seconds} s, so answers may have waited for it`,
  );
  // Background work stops when it sees this.
  abort.abort();
  for (const fault of await cleanup.run()) tally.violate(`cleanup failed: ${fault}`);
  process.off("SIGINT", onSignal).off("SIGTERM", onSignal);
  return result(reason === null && tally.violationCount === 0 ? "kept" : "failed", reason);
}

/** Rejects some time after the signal. */
function endOf(signal: AbortSignal): Promise<never> {
  return new Promise((_, reject) => {
    signal.addEventListener("abort", () => setTimeout(() => reject(signal.reason), GRACE_MS).unref());
  });
}
