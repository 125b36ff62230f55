"use client";
import { useMutation } from "@tanstack/react-query";
import type { LucideIcon } from "lucide-react";
import { Play, ShieldCheck } from "lucide-react";
import { useRouter } from "next/navigation";
import type { CheckNowReply } from "@/server/operations/check-now";
import { problemOf } from "../../data/problem";
import { useTRPCClient } from "../../data/trpc";
import { Button, ButtonIcon } from "../../ui/button";
import { classNames } from "../../ui/class-names";
import { counted } from "../../ui/counted";
import { Spinner } from "../../ui/spinner";
import { useStaff } from "../staff";
import { countedFindings } from "./counted";

export function RunNow() {
  const client = useTRPCClient();
  return (
    <Action
      label="Run now"
      busyLabel="Finalizing…"
      icon={Play}
      run={async () => {
        const done = await client.console.operations.runNow.mutate();
        const batches = counted(done.batchesFinalized, "batch", "batches");
        const transfers = counted(done.transfersSettled, "transfer", "transfers");
        const left =
          done.dueLeft === 0 ? "No due batches" : counted(done.dueLeft, "due batch", "due batches");
        const outcome = `Finalized ${batches} (${transfers}). ${left} left.`;
        return done.failure ? `${outcome} ${done.failure}` : outcome;
      }}
    />
  );
}

export function CheckNow() {
  const client = useTRPCClient();
  return (
    <Action
      label="Check now"
      busyLabel="Checking…"
      icon={ShieldCheck}
      className="ml-auto"
      run={async () => checkOutcome(await client.console.operations.checkNow.mutate())}
    />
  );
}

function checkOutcome(reply: CheckNowReply): string {
  if (reply.state !== "done") {
    return reply.state === "busy"
      ? "Another check is already running. Its result will appear here."
      : "The check is still running. Its result will appear here.";
  }
  return reply.ok
    ? "Check finished: the ledger balances."
    : `Check finished: the ledger does not balance, ${countedFindings(reply.findings)}.`;
}

interface ActionProps {
  label: string;
  busyLabel: string;
  icon: LucideIcon;
  className?: string;
  run: () => Promise<string>;
}

/** The outcome appears below the heading. Viewers have no button, since the server would refuse. */
function Action({ label, busyLabel, icon, className, run }: ActionProps) {
  const { role } = useStaff();
  const router = useRouter();
  const action = useMutation({ mutationFn: run, onSettled: () => router.refresh() });
  const isBusy = action.isPending;
  const problem = action.error && problemOf(action.error);
  if (role === "viewer") return null;
  return (
    <>
      <Button
        onClick={() => isBusy || action.mutate()}
        aria-disabled={isBusy}
        className={classNames("aria-disabled:opacity-60", className)}
      >
        {isBusy ? <Spinner /> : <ButtonIcon icon={icon} />}
        {isBusy ? busyLabel : label}
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
