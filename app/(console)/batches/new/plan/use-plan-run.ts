"use client";
import { useRouter } from "next/navigation";
import { useCallback, useEffect, useRef, useState } from "react";
import { problemOf, retryDelay, type ShownProblem, shouldRetry } from "../../../../data/problem";
import { useTRPCClient } from "../../../../data/trpc";
import { jobPath, uploadPath } from "../../paths";
import { FileProblem } from "../csv/decode-file";
import { idOfPart, isStored, type PartState, type Plan, uploadIdOf, uploadOfPart } from "./plan";

/** Problems of a single part. The remaining parts are still checked. */
const OWN_PROBLEMS = ["batch_id_conflict", "batch_cancelled", "insufficient_points", "validation_failed"];

interface Run {
  phase: "trying" | "ready" | "sending" | "failed" | "done";
  states: PartState[];
  problem: ShownProblem | null;
  /** The user confirmed it, so some parts may be stored. */
  hasSent: boolean;
}

const startOf = (plan: Plan): Run => ({
  phase: "trying",
  states: plan.parts.map(() => ({ kind: "waiting" })),
  problem: null,
  hasSent: false,
});

/**
 * Dry-runs the plan, then submits it on request. A file of several batches is stored on hold, and then released by a job of
 * the server. Leaving the page ends the run; submitting the same rows again stores each part once.
 */
export function usePlanRun(plan: Plan) {
  const client = useTRPCClient();
  const router = useRouter();
  const [run, setRun] = useState(() => startOf(plan));
  const states = useRef(run.states);
  const current = useRef<AbortController>(undefined);

  const begin = useCallback(() => {
    current.current?.abort();
    const controller = new AbortController();
    current.current = controller;
    const { signal } = controller;
    const onPart = (part: number, state: PartState) => {
      if (signal.aborted) return;
      states.current = states.current.with(part, state);
      setRun((before) => ({ ...before, states: states.current }));
    };
    const end = (phase: Run["phase"], error?: unknown) => {
      if (signal.aborted) return;
      setRun((before) => ({ ...before, phase, problem: error === undefined ? null : shownProblem(error) }));
    };
    return { signal, onPart, end };
  }, []);

  const tryOut = useCallback(
    async (tried: Plan) => {
      const { signal, onPart, end } = begin();
      const start = startOf(tried);
      states.current = start.states;
      setRun(start);
      for (let part = 0; part < tried.parts.length && !signal.aborted; part++) {
        onPart(part, { kind: "trying" });
        try {
          const input = await inputOf(tried, part);
          const dryRun = await withRetries(signal, () =>
            client.console.batches.tryOut.mutate(input, { signal }),
          );
          const { finalizeAt, availableBefore: available, review } = dryRun;
          const reply = { finalizeAt, available };
          onPart(
            part,
            dryRun.replayed
              ? { kind: "stored", ...reply, before: true }
              : { kind: "ready", ...reply, review },
          );
        } catch (error) {
          const problem = shownProblem(error);
          onPart(part, { kind: "refused", problem });
          if (!OWN_PROBLEMS.includes(problem.code ?? "")) return end("failed", error);
        }
      }
      end("ready");
    },
    [begin, client],
  );

  const send = async () => {
    const { signal, onPart, end } = begin();
    setRun((before) => ({ ...before, phase: "sending", problem: null, hasSent: true }));
    for (const [part, state] of states.current.entries()) {
      if (isStored(state)) continue;
      if (signal.aborted) return;
      onPart(part, { kind: "sending" });
      try {
        const input = await inputOf(plan, part);
        const { replayed, finalizeAt } = await withRetries(signal, () =>
          client.console.batches.submit.mutate(input, { signal }),
        );
        const available = state.kind === "ready" ? state.available : "0";
        onPart(part, { kind: "stored", finalizeAt, available, before: replayed });
      } catch (error) {
        onPart(part, { kind: "refused", problem: shownProblem(error) });
        return end("failed", error);
      }
    }
    if (plan.parts.length > 1) {
      const upload = { contractAddress: plan.contractAddress, uploadId: uploadIdOf(plan) };
      try {
        const job = await withRetries(signal, () =>
          client.console.bulk.releaseUpload.mutate(upload, { signal }),
        );
        if (!signal.aborted) router.push(job ? jobPath(job.jobId) : uploadPath(upload.uploadId));
      } catch (error) {
        return end("failed", error);
      }
    }
    end("done");
  };

  // biome-ignore lint/correctness/useExhaustiveDependencies: checks the plan once on mount; later changes call `tryOut` themselves
  useEffect(() => {
    void tryOut(plan);
    return () => current.current?.abort();
  }, []);

  return { ...run, tryOut, send };
}

async function inputOf(plan: Plan, part: number) {
  const { contractAddress, pointType, secondsToFinalize, corrects } = plan;
  return {
    contractAddress,
    pointType,
    secondsToFinalize,
    batchId: idOfPart(plan, part),
    transfers: await plan.readRows(part),
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

const shownProblem = (error: unknown): ReturnType<typeof problemOf> =>
  error instanceof FileProblem ? { title: "Rows not found", detail: error.message } : problemOf(error);
