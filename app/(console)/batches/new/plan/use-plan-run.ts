"use client";
import { useCallback, useEffect, useRef, useState } from "react";
import { problemOf, type ShownProblem } from "../../../../data/problem";
import { useTRPCClient } from "../../../../data/trpc";
import { isStored, type PartState, type Plan } from "./plan";
import { NoStore, updatePlan } from "./plan-store";
import { sendParts, tryParts } from "./send-parts";

export type RunPhase = "trying" | "ready" | "sending" | "paused" | "failed" | "done";

interface Run {
  phase: RunPhase;
  states: PartState[];
  problem: ShownProblem | null;
  /** Stops after the current part. */
  isPausing: boolean;
}

const startOf = (plan: Plan): Run => ({
  phase: "trying",
  states: plan.parts.map(() => ({ kind: "waiting" })),
  problem: null,
  isPausing: false,
});

/** Dry-runs the plan, then submits it on request. Leaving the page stops the run; returning resumes it. */
export function usePlanRun(plan: Plan, onPlan: (plan: Plan) => void) {
  const client = useTRPCClient();
  const [run, setRun] = useState(() => startOf(plan));
  const states = useRef(run.states);
  const pausing = useRef(false);
  const current = useRef<AbortController>(undefined);

  const begin = useCallback(() => {
    current.current?.abort();
    const own = new AbortController();
    current.current = own;
    pausing.current = false;
    const onPart = (part: number, state: PartState) => {
      if (own.signal.aborted) return;
      states.current = states.current.with(part, state);
      setRun((before) => ({ ...before, states: states.current }));
    };
    const end = (phase: RunPhase, error?: unknown) => {
      if (own.signal.aborted) return;
      const problem = error === undefined ? null : problemOfRun(error);
      setRun((before) => ({ ...before, phase, problem, isPausing: false }));
    };
    return { signal: own.signal, onPart, end };
  }, []);

  const tryOut = useCallback(
    async (tried: Plan) => {
      const { signal, onPart, end } = begin();
      const start = startOf(tried);
      states.current = start.states;
      setRun(start);
      try {
        await tryParts({ client, plan: tried, states: start.states, signal, onPart });
        end(tried.confirmed && states.current.every(isStored) ? "done" : "ready");
      } catch (error) {
        end("failed", error);
      }
    },
    [begin, client],
  );

  const send = useCallback(async () => {
    const { signal, onPart, end } = begin();
    const confirmed = { ...plan, confirmed: true };
    setRun((before) => ({ ...before, phase: "sending", problem: null, isPausing: false }));
    try {
      await updatePlan(confirmed).then(() => onPlan(confirmed));
      await sendParts({ client, plan, states: states.current, signal, onPart }, () => !pausing.current);
      end(states.current.every(isStored) ? "done" : "paused");
    } catch (error) {
      end("failed", error);
    }
  }, [begin, client, plan, onPlan]);

  // biome-ignore lint/correctness/useExhaustiveDependencies: checks the plan once on mount; later changes call `tryOut` themselves
  useEffect(() => {
    void tryOut(plan);
    return () => current.current?.abort();
  }, []);

  return {
    ...run,
    tryOut,
    send,
    pause: () => {
      pausing.current = true;
      setRun((before) => ({ ...before, isPausing: true }));
    },
    finish: () => setRun({ ...run, phase: "done" }),
  };
}

const problemOfRun = (error: unknown): ShownProblem =>
  error instanceof NoStore ? { title: "Rows not saved", detail: error.message } : problemOf(error);
