"use client";
import { useMutation, useQuery } from "@tanstack/react-query";
import { LogOut } from "lucide-react";
import { useState } from "react";
import { signOutHere } from "@/app/(console)/sign-out";
import { useStaff } from "@/app/(console)/staff";
import { useChange, useTRPC } from "@/app/data/trpc";
import { Badge } from "@/app/ui/badge";
import { Button } from "@/app/ui/button";
import { type DataColumn, DataTable } from "@/app/ui/data-table";
import { later } from "@/app/ui/later";
import { Section } from "@/app/ui/section";
import { Loaded } from "@/app/ui/states";
import { When } from "@/app/ui/time";
import type { OwnSession } from "@/server/staff/schema";

const ChangeDialog = later(() => import("@/app/ui/dialogs").then((module) => module.ChangeDialog));

export function ProfileView() {
  const { email, role } = useStaff();
  const { staff } = useTRPC().console;
  const sessions = useQuery(staff.sessions.queryOptions());
  const [isAsking, setAsking] = useState(false);
  const everywhere = useMutation(
    staff.endAllSessions.mutationOptions({ onSuccess: () => location.assign("/sign-in") }),
  );
  return (
    <div className="mx-auto flex w-full max-w-[800px] flex-col gap-6 p-4 md:p-6">
      <div>
        <h1 className="font-semibold text-title">Your profile</h1>
        <p className="wrap-anywhere hint">
          {email}, {role}
        </p>
      </div>
      <Section
        title="Sessions"
        actions={
          <Button size="small" icon={LogOut} onClick={() => setAsking(true)}>
            Sign out everywhere…
          </Button>
        }
      >
        <p className="hint">
          Browsers that are signed in to your account. If you do not recognize one, end its session and change
          your password.
        </p>
        <Loaded query={sessions}>
          {(rows) => (
            <DataTable label="Sessions table" columns={COLUMNS} rows={rows} keyOf={({ id }) => id} />
          )}
        </Loaded>
      </Section>
      {isAsking && (
        <ChangeDialog
          change={{ error: everywhere.error, isPending: everywhere.isPending || everywhere.isSuccess }}
          close={() => setAsking(false)}
          title="Sign out everywhere?"
          description="All your sessions end immediately, including this one."
          submit="Sign out everywhere"
          danger
          onSubmit={() => everywhere.mutate()}
        />
      )}
    </div>
  );
}

const COLUMNS: readonly DataColumn<OwnSession>[] = [
  {
    name: "Browser",
    isRowHeader: true,
    render: ({ device, isCurrent }) => (
      <span className="flex flex-wrap items-center gap-x-2 gap-y-0.5">
        <span className="wrap-anywhere font-medium">{device}</span>
        {isCurrent && <Badge tone="finalized" label="This session" />}
      </span>
    ),
  },
  { name: "Signed in", render: ({ signedInAt }) => <When at={signedInAt} /> },
  {
    name: "Last used",
    render: ({ isCurrent, lastUsedAt }) => (isCurrent ? "Now" : <When at={lastUsedAt} />),
  },
  {
    name: "End",
    heading: <span className="sr-only">End</span>,
    right: true,
    render: (session) => <EndButton session={session} />,
  },
];

function EndButton({ session }: { session: OwnSession }) {
  const { staff } = useTRPC().console;
  const changed = useChange([staff.sessions.queryFilter()]);
  const end = useMutation(staff.endSession.mutationOptions(changed(`Session ended: ${session.device}`)));
  return session.isCurrent ? (
    <Button size="small" onClick={() => void signOutHere()}>
      Sign out
    </Button>
  ) : (
    <Button
      size="small"
      busy={end.isPending}
      aria-label={`End session: ${session.device}`}
      onClick={() => end.mutate({ sessionId: session.id })}
    >
      End session
    </Button>
  );
}
