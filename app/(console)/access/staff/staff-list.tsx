"use client";
import { useQuery } from "@tanstack/react-query";
import { Ban, Check, Ellipsis, Mail, TriangleAlert, UserCheck, UserPlus } from "lucide-react";
import { useState } from "react";
import { AccessHead, ROLES } from "@/app/(console)/access/access-head";
import type { StaffDialog, StaffMenuProps } from "@/app/(console)/access/staff/staff-dialogs";
import { useStaff } from "@/app/(console)/staff";
import { useTRPC } from "@/app/data/trpc";
import { Badge } from "@/app/ui/badge";
import { Button } from "@/app/ui/button";
import { type DataColumn, DataTable } from "@/app/ui/data-table";
import { useLazyPanel } from "@/app/ui/hooks";
import { later } from "@/app/ui/later";
import { Loaded, PageSkeleton, StaleBanner } from "@/app/ui/states";
import { Instant, When } from "@/app/ui/time";
import type { StaffPerson } from "@/server/staff/schema";

const StaffDialogs = later(() => import("./staff-dialogs"));

const REFETCH_MS = 30_000;

export function StaffList() {
  const trpc = useTRPC();
  const query = useQuery(trpc.console.staff.list.queryOptions(undefined, { refetchInterval: REFETCH_MS }));
  const [dialog, openDialog] = useState<StaffDialog>();
  const isAdmin = useStaff().role === "admin";
  const invite = () => openDialog({ kind: "invite" });
  return (
    <div className="flex flex-col">
      <AccessHead
        here="/access"
        action={
          isAdmin && (
            <Button variant="primary" icon={UserPlus} onClick={invite}>
              Invite member
            </Button>
          )
        }
      />
      <Loaded query={query} skeleton={<PageSkeleton />}>
        {(people) => (
          <div className="flex flex-col gap-3 p-4 md:p-6">
            {query.isError && <StaleBanner />}
            <DataTable
              label="Team members"
              columns={isAdmin ? [...COLUMNS, menuColumn(openDialog)] : COLUMNS}
              rows={people}
              keyOf={({ id }) => id}
            />
            {people.length === 1 && isAdmin && (
              <p className="text-muted">
                You are the only team member. Invite a second admin in case you lose your password.
              </p>
            )}
          </div>
        )}
      </Loaded>
      {dialog && <StaffDialogs dialog={dialog} close={() => openDialog(undefined)} />}
    </div>
  );
}

const COLUMNS: readonly DataColumn<StaffPerson>[] = [
  { name: "Email", isRowHeader: true, render: ({ email }) => <Email email={email} /> },
  { name: "Role", render: ({ role }) => <span title={ROLES[role].can}>{ROLES[role].label}</span> },
  { name: "Status", render: (person) => <PersonState person={person} /> },
  { name: "Last sign-in", render: ({ lastSignInAt }) => <When at={lastSignInAt} never="Never" /> },
  { name: "Added", render: ({ createdAt }) => <When at={createdAt} /> },
];

const menuColumn = (openDialog: StaffMenuProps["openDialog"]): DataColumn<StaffPerson> => ({
  name: "Actions",
  heading: <span className="sr-only">Actions</span>,
  render: (person) => <StaffMenu {...{ person, openDialog }} />,
});

function Email({ email }: { email: string }) {
  const isOwn = email === useStaff().email;
  return (
    <span className="flex min-w-0 max-w-96 items-center gap-2">
      <span title={email} className="truncate font-medium">
        {email}
      </span>
      {isOwn && <span className="shrink-0 rounded-badge border border-line px-1 hint">you</span>}
    </span>
  );
}

const LOOKS = {
  disabled: { tone: "cancelled", icon: Ban, label: "Disabled" },
  active: { tone: "finalized", icon: Check, label: "Active" },
  invited: { tone: "pending", icon: Mail, label: "Invited" },
  expired: { tone: "overdue", icon: TriangleAlert, label: "Link expired" },
} as const;

function PersonState({ person: { state, linkExpiresAt, unconfirmedBy } }: { person: StaffPerson }) {
  const givers = unconfirmedBy.join(" and ");
  return (
    <span className="flex flex-wrap items-center gap-x-2 gap-y-1 max-md:justify-end">
      <Badge {...LOOKS[state === "invited" && !linkExpiresAt ? "expired" : state]} />
      {givers && (
        <span title={`Access given by ${givers}. Another admin must confirm it.`}>
          <Badge tone="overdue" icon={UserCheck} label="Not confirmed" />
        </span>
      )}
      {linkExpiresAt && (
        <span className="whitespace-nowrap hint tabular-nums">
          link expires <Instant at={linkExpiresAt} />
        </span>
      )}
    </span>
  );
}

const loadPanel = async () => ({ default: (await import("./staff-dialogs")).StaffMenuPanel });

function StaffMenu(props: StaffMenuProps) {
  const { Panel, buttonProps } = useLazyPanel(loadPanel);
  const button = (
    <Button variant="ghost" size="icon" aria-label={`Manage ${props.person.email}`} {...buttonProps}>
      <Ellipsis size={16} />
    </Button>
  );
  return Panel ? <Panel {...props} trigger={button} /> : button;
}
