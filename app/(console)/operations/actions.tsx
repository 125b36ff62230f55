"use client";
import { useMutation, useQuery } from "@tanstack/react-query";
import { type LucideIcon, Play, ShieldCheck } from "lucide-react";
import { useRouter } from "next/navigation";
import { startTransition, useEffect, useRef } from "react";
import { useStaff } from "@/app/(console)/staff";
import { problemOf } from "@/app/data/problem";
import { useTRPC, useTRPCClient } from "@/app/data/trpc";
import { counted } from "@/app/ui/amount";
import { Button } from "@/app/ui/button";
import type { ButtonLook } from "@/app/ui/button-look";
import { StaleBanner } from "@/app/ui/states";
import type { LastCheck } from "@/server/operations/read-state";
import { countedFindings } from "./operations-params";

export function RunNow({ size }: Pick<ActionProps, "size">) {
  const client = useTRPCClient();
  return (
    <Action
      label="Run now"
      busyLabel="Finalizing…"
      icon={Play}
      size={size}
      run={async () => {
        const { runId } = await client.console.operations.runNow.mutate();
        const done = await until(RUN_SECONDS_MAX, () => client.console.operations.run.query({ runId }));
        if (!done) return "The run has no result yet. It will appear in the recent runs.";
        const batches = counted(done.batchesFinalized, "batch", "batches");
        const transfers = counted(done.transfersSettled, "transfer", "transfers");
        const left = counted(done.dueLeft, "due batch", "due batches");
        const outcome = `Finalized ${batches} (${transfers}). ${left} left.`;
        return done.failure ? `${outcome} ${done.failure}` : outcome;
      }}
    />
  );
}

export function CheckNow({ size }: Pick<ActionProps, "size">) {
  const client = useTRPCClient();
  return (
    <Action
      label="Check now"
      busyLabel="Checking…"
      icon={ShieldCheck}
      size={size}
      run={async () => {
        const { isBusy, lastFinishedAt } = await client.console.operations.checkNow.mutate();
        if (isBusy) return "Another check is already running. Its result will appear here.";
        const done = await until(CHECK_SECONDS_MAX, async () => {
          const { last } = await client.console.operations.selfCheck.query();
          return last && last.finishedAt !== lastFinishedAt ? last : null;
        });
        return done ? checkOutcome(done) : "The check is still running. Its result will appear here.";
      }}
    />
  );
}

function checkOutcome({ isOk, isWhole, findings }: LastCheck): string {
  if (!isWhole) return "The check did not finish.";
  return isOk
    ? "Check finished: the ledger balances."
    : `Check finished: the ledger does not balance, ${countedFindings(findings.length)}.`;
}

/** A run has 10 seconds, and ends its last chunk. */
const RUN_SECONDS_MAX = 30;
/** A longer check continues in the background, and the page shows its result later. */
const CHECK_SECONDS_MAX = 15;
const FIRST_POLL_MS = 250;
const POLL_MS_MAX = 2000;

/** Asks until there is a result, ever more rarely; null after `secondsMax`. A failed answer is no result. */
async function until<T>(secondsMax: number, ask: () => Promise<T | null>): Promise<T | null> {
  const endsAt = performance.now() + secondsMax * 1000;
  for (let waitMs = FIRST_POLL_MS; performance.now() < endsAt; waitMs = Math.min(POLL_MS_MAX, 2 * waitMs)) {
    await new Promise((resolve) => setTimeout(resolve, waitMs));
    const answer = await ask().catch(() => null);
    if (answer !== null) return answer;
  }
  return null;
}

interface ActionProps {
  label: string;
  busyLabel: string;
  icon: LucideIcon;
  size?: ButtonLook["size"];
  run: () => Promise<string>;
}

/** The outcome appears below the heading. Viewers have no button, since the server would refuse. */
function Action({ label, busyLabel, icon, size, run }: ActionProps) {
  const { role } = useStaff();
  const router = useRouter();
  const action = useMutation({ mutationFn: run, onSettled: () => router.refresh() });
  const problem = action.error && problemOf(action.error);
  if (role === "viewer") return null;
  return (
    <>
      <Button icon={icon} size={size} busy={action.isPending} onClick={() => action.mutate()}>
        {action.isPending ? busyLabel : label}
      </Button>
      <p role="status" className="basis-full text-table empty:sr-only">
        {action.data}
        {problem && (
          <span className="text-danger">
            {problem.title}. {problem.detail} {problem.requestId && `Request ID ${problem.requestId}`}
          </span>
        )}
      </p>
    </>
  );
}

/** A small query goes first: a failed refresh would replace the page with the browser's error page. */
export function LiveRefresh({ everyMs }: { everyMs: number }) {
  const router = useRouter();
  const { dataUpdatedAt, isError } = useQuery(
    useTRPC().console.session.me.queryOptions(undefined, { refetchInterval: everyMs }),
  );
  const drawnAt = useRef(0);
  useEffect(() => {
    if (!dataUpdatedAt) return;
    if (drawnAt.current) startTransition(() => router.refresh());
    drawnAt.current = dataUpdatedAt;
  }, [dataUpdatedAt, router]);
  if (!isError) return null;
  return (
    <div className="order-last basis-full">
      <StaleBanner />
    </div>
  );
}
