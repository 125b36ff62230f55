"use client";
import type { LucideIcon } from "lucide-react";
import { LoaderCircle, Play, ShieldCheck } from "lucide-react";
import { useRouter } from "next/navigation";
import { useState } from "react";
import type { CheckNowReply } from "@/server/operations/check-now";
import { problemOf, type ShownProblem } from "../../data/problem";
import { useTRPCClient } from "../../data/trpc";
import { Button } from "../../ui/button";
import { classNames } from "../../ui/class-names";
import { useStaff } from "../staff";
import { counted, countedFindings } from "./counted";

/** Finalizes what is due, and says what was done and what is left. */
export function RunNow() {
  const client = useTRPCClient();
  return (
    <Action
      words="Run now"
      busyWords="Finalizing…"
      icon={Play}
      run={async () => {
        const done = await client.console.operations.runNow.mutate();
        const words = `Finalized ${counted(done.batchesFinalized, "batch", "batches")} with ${counted(done.transfersSettled, "transfer", "transfers")}; ${done.dueLeft === 0 ? "none that is due is left" : `${counted(done.dueLeft, "due batch is", "due batches are")} left`}.`;
        return done.failure ? `${words} ${done.failure}` : words;
      }}
    />
  );
}

/** Checks the whole ledger, and says what came of it. */
export function CheckNow() {
  const client = useTRPCClient();
  return (
    <Action
      words="Check now"
      busyWords="Checking…"
      icon={ShieldCheck}
      className="ml-auto"
      run={async () => checkWords(await client.console.operations.checkNow.mutate())}
    />
  );
}

function checkWords(reply: CheckNowReply): string {
  if (reply.state !== "done") {
    return reply.state === "busy"
      ? "Another check runs already; its result will stand here."
      : "The check takes longer; its result will stand here when it ends.";
  }
  return reply.ok
    ? "Checked: the ledger balances."
    : `Checked: the ledger does not balance, ${countedFindings(reply.findings)}.`;
}

interface ActionProps {
  words: string;
  busyWords: string;
  icon: LucideIcon;
  className?: string;
  run: () => Promise<string>;
}

/** A button at the end of a heading's line, and below the line what came of it. Viewers may not, so they see none. */
function Action({ words, busyWords, icon: Icon, className, run }: ActionProps) {
  const { role } = useStaff();
  const router = useRouter();
  const [isBusy, setBusy] = useState(false);
  const [outcome, setOutcome] = useState<string>();
  const [problem, setProblem] = useState<ShownProblem>();
  if (role === "viewer") return null;
  const start = async () => {
    setBusy(true);
    setOutcome(undefined);
    setProblem(undefined);
    try {
      setOutcome(await run());
    } catch (error) {
      setProblem(problemOf(error));
    }
    setBusy(false);
    router.refresh();
  };
  return (
    <>
      <Button
        onClick={() => isBusy || void start()}
        aria-disabled={isBusy}
        className={classNames("aria-disabled:opacity-60", className)}
      >
        {isBusy ? (
          <LoaderCircle aria-hidden size={14} className="animate-spin" />
        ) : (
          <Icon aria-hidden size={14} />
        )}
        {isBusy ? busyWords : words}
      </Button>
      <p role="status" className="basis-full text-table empty:sr-only">
        {outcome}
        {problem && (
          <span className="text-danger">
            {problem.title}. {problem.detail} {problem.requestId && `Request ${problem.requestId}`}
          </span>
        )}
      </p>
    </>
  );
}
