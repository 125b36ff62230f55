"use client";
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { LoaderCircle, LogOut, Monitor, Smartphone } from "lucide-react";
import dynamic from "next/dynamic";
import { useState } from "react";
import type { OwnSession } from "@/server/staff/console-schema";
import { problemOf } from "../../data/problem";
import { useTRPC } from "../../data/trpc";
import { Badge } from "../../ui/badge";
import { Button } from "../../ui/button";
import { ErrorState } from "../../ui/error-state";
import { Instant } from "../../ui/instant";
import { Skeleton } from "../../ui/skeleton";
import { notify } from "../../ui/toast";
import { Section } from "../batches/batch/section";
import { endSession } from "../shell/sign-out";

const FormDialog = dynamic(() => import("../../ui/form-dialog").then((module) => module.FormDialog), {
  ssr: false,
});

/** Where the person is signed in, and how to end it. */
export function Sessions() {
  const trpc = useTRPC();
  const sessions = useQuery(trpc.console.staff.sessions.queryOptions());
  const [open, setOpen] = useState<boolean>();
  const everywhere = useMutation(
    trpc.console.staff.endAllSessions.mutationOptions({ onSuccess: () => location.assign("/sign-in") }),
  );
  return (
    <Section
      title="Sessions"
      actions={
        <Button size="small" onClick={() => setOpen(true)}>
          <LogOut aria-hidden size={13} />
          Sign out everywhere…
        </Button>
      }
    >
      <p className="text-label text-muted">
        Browsers that are signed in to your account. If you do not recognize one, end its session and change
        your password.
      </p>
      {sessions.isPending && <Skeleton className="h-24 w-full" />}
      {sessions.isError && !sessions.data && (
        <ErrorState {...problemOf(sessions.error)} onRetry={() => void sessions.refetch()} />
      )}
      {sessions.data && (
        <ul className="flex flex-col overflow-hidden rounded-card border border-line bg-surface">
          {sessions.data.map((session) => (
            <SessionRow key={session.id} session={session} />
          ))}
        </ul>
      )}
      {open !== undefined && (
        <FormDialog
          open={open}
          onOpenChange={setOpen}
          title="Sign out everywhere?"
          description="All your sessions end immediately, including this one."
          problem={everywhere.error && problemOf(everywhere.error)}
          busy={everywhere.isPending || everywhere.isSuccess}
          submit="Sign out everywhere"
          danger
          onSubmit={() => everywhere.mutate()}
        />
      )}
    </Section>
  );
}

const HANDHELD = /\b(?:iOS|iPadOS|Android)$/;

function SessionRow({ session }: { session: OwnSession }) {
  const { device, isCurrent, signedInAt, lastUsedAt } = session;
  const Icon = HANDHELD.test(device) ? Smartphone : Monitor;
  return (
    <li className="-mt-px flex min-w-0 items-center gap-3 border-line border-t px-4 py-3">
      <Icon aria-hidden size={18} className="shrink-0 text-muted" />
      <div className="flex min-w-0 flex-1 flex-col gap-0.5">
        <div className="flex flex-wrap items-center gap-x-2 gap-y-0.5">
          <span className="wrap-anywhere font-medium text-table">{device}</span>
          {isCurrent && <Badge tone="finalized">This session</Badge>}
        </div>
        <div className="flex flex-wrap gap-x-3 text-label text-muted tabular-nums">
          <span>
            Signed in <Instant at={signedInAt} className="whitespace-nowrap" />
          </span>
          {!isCurrent && (
            <span>
              Last used <Instant at={lastUsedAt} className="whitespace-nowrap" />
            </span>
          )}
        </div>
      </div>
      {isCurrent ? (
        <Button size="small" onClick={() => void endSession()}>
          Sign out
        </Button>
      ) : (
        <EndButton session={session} />
      )}
    </li>
  );
}

function EndButton({ session }: { session: OwnSession }) {
  const trpc = useTRPC();
  const queryClient = useQueryClient();
  const end = useMutation(
    trpc.console.staff.endSession.mutationOptions({
      onSuccess: () => notify("success", `Session ended: ${session.device}`),
      onError: (error) => notify("error", problemOf(error).detail),
      onSettled: () => queryClient.invalidateQueries(trpc.console.staff.sessions.queryFilter()),
    }),
  );
  return (
    <Button
      size="small"
      disabled={end.isPending}
      aria-label={`End session: ${session.device}`}
      onClick={() => end.mutate({ sessionId: session.id })}
    >
      {end.isPending && <LoaderCircle aria-hidden size={13} className="animate-spin" />}
      End session
    </Button>
  );
}
