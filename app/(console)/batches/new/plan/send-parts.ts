import type { TRPCClient } from "@trpc/client";
import type { AppRouter } from "@/server/trpc/root";
import { problemOf, retryDelay, shouldRetry } from "../../../../data/problem";
import { idOfPart, isStored, type PartState, type Plan, uploadOfPart } from "./plan";
import { NoStore, readPart } from "./plan-store";

/** Problems of a single part. The remaining parts are still checked. */
const OWN_PROBLEMS = ["batch_id_conflict", "batch_cancelled", "insufficient_points", "validation_failed"];

export interface PartsRun {
  client: TRPCClient<AppRouter>;
  plan: Plan;
  /** At the start of the run. */
  states: readonly PartState[];
  signal: AbortSignal;
  onPart: (part: number, state: PartState) => void;
}

/**
 * Dry-runs every part; nothing is stored.
 * @throws when it cannot continue, because the service is unavailable or the rows are gone
 */
export async function tryParts({ client, plan, signal, onPart }: PartsRun): Promise<void> {
  for (let part = 0; part < plan.parts.length && !signal.aborted; part++) {
    onPart(part, { kind: "trying" });
    try {
      const input = await inputOf(plan, part);
      const result = await withRetries(signal, () => client.console.batches.tryOut.mutate(input, { signal }));
      const { finalizeAt, availableBefore: available } = result;
      onPart(
        part,
        result.replayed
          ? { kind: "stored", finalizeAt, available, before: true }
          : { kind: "ready", finalizeAt, available, review: result.review },
      );
    } catch (error) {
      if (signal.aborted) return;
      const problem = problemOfPart(error);
      onPart(part, { kind: "refused", problem });
      if (!OWN_PROBLEMS.includes(problem.code ?? "")) throw error;
    }
  }
}

/**
 * Submits the parts that are not stored yet, one by one. Submitting a part again stores it once.
 * @throws when a part is rejected; the following parts are not submitted
 */
export async function sendParts(run: PartsRun, shouldContinue: () => boolean): Promise<void> {
  const { client, plan, states, signal, onPart } = run;
  for (let part = 0; part < plan.parts.length; part++) {
    const state = states[part]!;
    if (isStored(state)) continue;
    if (signal.aborted || !shouldContinue()) return;
    onPart(part, { kind: "sending" });
    try {
      const input = await inputOf(plan, part);
      const { replayed, finalizeAt } = await withRetries(signal, () =>
        client.console.batches.submit.mutate(input, { signal }),
      );
      const available = state.kind === "ready" ? state.available : "0";
      onPart(part, { kind: "stored", finalizeAt, available, before: replayed });
    } catch (error) {
      if (signal.aborted) return;
      onPart(part, { kind: "refused", problem: problemOfPart(error) });
      throw error;
    }
  }
}

async function inputOf(plan: Plan, part: number) {
  const { contractAddress, pointType, secondsToFinalize, corrects } = plan;
  const transfers = await readPart(plan.owner, part);
  return {
    contractAddress,
    pointType,
    secondsToFinalize,
    batchId: idOfPart(plan, part),
    transfers,
    ...uploadOfPart(plan, part),
    ...(corrects !== undefined && { corrects }),
  };
}

/** Retries temporary errors with exponential backoff. */
async function withRetries<T>(signal: AbortSignal, call: () => Promise<T>): Promise<T> {
  for (let failures = 0; ; failures++) {
    try {
      return await call();
    } catch (error) {
      if (signal.aborted || !shouldRetry(failures, error)) throw error;
      await new Promise((resolve) => setTimeout(resolve, retryDelay(failures, error)));
    }
  }
}

function problemOfPart(error: unknown) {
  if (error instanceof NoStore) return { title: "Rows not found", detail: error.message };
  return problemOf(error);
}
