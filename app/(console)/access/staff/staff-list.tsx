"use client";
import { useQuery } from "@tanstack/react-query";
import { Ban, Check, Ellipsis, Mail, TriangleAlert, UserCheck, UserPlus } from "lucide-react";
import dynamic from "next/dynamic";
import { type ReactNode, useState } from "react";
import { AccessHead, AccessSkeleton } from "@/app/(console)/access/access-head";
import type { StaffDialog, StaffMenuProps } from "@/app/(console)/access/staff/staff-dialogs";
import { useStaff } from "@/app/(console)/staff";
import { useTRPC } from "@/app/data/trpc";
import { Badge } from "@/app/ui/badge";
import { StaleBanner } from "@/app/ui/banner";
import { Button } from "@/app/ui/button";
import { Loaded } from "@/app/ui/error-state";
import { useLazyPanel } from "@/app/ui/hooks";
import { Instant, When } from "@/app/ui/instant";
import { type PageColumn, PageTable } from "@/app/ui/page-table";
import type { StaffPerson } from "@/server/staff/schema";
import { ROLES } from "./roles";

const StaffDialogs = dynamic(
  () => import("@/app/(console)/access/staff/staff-dialogs").then((module) => module.StaffDialogs),
  {
    ssr: false,
  },
);

const REFETCH_MS = 30_000;

export function StaffList() {
  const trpc = useTRPC();
  const me = useStaff();
  const query = useQuery(trpc.console.staff.list.queryOptions(undefined, { refetchInterval: REFETCH_MS }));
  const [dialog, openDialog] = useState<StaffDialog>();
  const isAdmin = me.role === "admin";
  const invite = () => openDialog({ kind: "invite" });
  return (
    <div className="flex min-h-0 flex-1 flex-col">
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
      <Loaded query={query} skeleton={<AccessSkeleton what="team members" />}>
        {(people) => (
          <>
            {query.isError && (
              <div className="px-4 py-2 md:px-6">
                <StaleBanner what="list" onRetry={() => void query.refetch()} />
              </div>
            )}
            <StaffTable
              people={people}
              ownEmail={me.email}
              openDialog={isAdmin ? openDialog : undefined}
              end={people.length === 1 && isAdmin && <OnlyMember onInvite={invite} />}
            />
          </>
        )}
      </Loaded>
      {dialog && <StaffDialogs dialog={dialog} ownEmail={me.email} close={() => openDialog(undefined)} />}
    </div>
  );
}

function OnlyMember({ onInvite }: { onInvite: () => void }) {
  return (
    <p className="px-4 py-6 text-center text-muted md:px-6">
      You are the only team member.{" "}
      <button
        type="button"
        onClick={onInvite}
        className="rounded-badge text-accent underline underline-offset-4"
      >
        Invite a second admin
      </button>{" "}
      in case you lose your password.
    </p>
  );
}

interface StaffTableProps {
  people: StaffPerson[];
  ownEmail: string;
  /** Undefined when the user may not change anything. */
  openDialog: ((dialog: StaffDialog) => void) | undefined;
  end: ReactNode;
}

export function StaffTable({ people, ownEmail, openDialog, end }: StaffTableProps) {
  const menu = (person: StaffPerson) =>
    openDialog && <StaffMenu person={person} ownEmail={ownEmail} openDialog={openDialog} />;
  const nameOf = (person: StaffPerson) => <PersonName person={person} own={person.email === ownEmail} />;
  const columns: PageColumn<StaffPerson>[] = [
    {
      name: "Email",
      isRowHeader: true,
      className: "max-w-72 text-left font-medium xl:max-w-96",
      render: nameOf,
    },
    {
      name: "Role",
      render: ({ role }) => <span title={ROLES[role].can}>{ROLES[role].label}</span>,
    },
    {
      name: "Status",
      render: (person) => (
        <span className="flex flex-wrap items-center gap-x-2 gap-y-1">
          <PersonState person={person} />
          <LinkExpiry person={person} />
        </span>
      ),
    },
    { name: "Last sign-in", render: ({ lastSignInAt }) => <When at={lastSignInAt} never="Never" /> },
    {
      name: "Added",
      className: "text-muted",
      render: ({ createdAt }) => <When at={createdAt} />,
    },
    ...(openDialog ? [{ name: "Actions", isNameHidden: true, className: "w-px", render: menu }] : []),
  ];
  return (
    <PageTable
      label="Team members"
      columns={columns}
      rows={people}
      keyOf={({ id }) => id}
      rowClassName="h-11"
      card={(person) => (
        <div className="flex items-center gap-2 py-3 pr-2 pl-4">
          <div className="flex min-w-0 flex-1 flex-col gap-1">
            <span className="font-medium">{nameOf(person)}</span>
            <span className="flex flex-wrap items-center gap-x-2 gap-y-1 text-table">
              {ROLES[person.role].label}
              <PersonState person={person} />
              <LinkExpiry person={person} />
            </span>
            <span className="text-label text-muted tabular-nums">
              Last sign-in: <When at={person.lastSignInAt} never="Never" />
            </span>
          </div>
          {menu(person)}
        </div>
      )}
      end={end}
    />
  );
}

function PersonName({ person, own }: { person: StaffPerson; own: boolean }) {
  return (
    <span className="flex min-w-0 items-center gap-2">
      <span title={person.email} className="truncate">
        {person.email}
      </span>
      {own && (
        <span className="shrink-0 rounded-badge border border-line px-1 font-normal text-label text-muted">
          you
        </span>
      )}
    </span>
  );
}

function LinkExpiry({ person }: { person: StaffPerson }) {
  if (!person.linkExpiresAt) return null;
  return (
    <span className="whitespace-nowrap text-label text-muted tabular-nums">
      link expires <Instant at={person.linkExpiresAt} />
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
  const { label, ...look } = LOOKS[state === "invited" && !linkExpiresAt ? "expired" : state];
  const givers = unconfirmedBy.join(" and ");
  return (
    <span className="inline-flex flex-wrap items-center gap-1">
      <Badge {...look}>{label}</Badge>
      {givers && (
        <span title={`Access given by ${givers}. Another admin must confirm it.`}>
          <Badge tone="overdue" icon={UserCheck}>
            Not confirmed
          </Badge>
        </span>
      )}
    </span>
  );
}

const loadPanel = () =>
  import("@/app/(console)/access/staff/staff-dialogs").then((module) => module.StaffMenuPanel);

export function StaffMenu(props: StaffMenuProps) {
  const { Panel, buttonProps } = useLazyPanel(loadPanel);
  const button = (
    <Button variant="ghost" size="icon" aria-label={`Manage ${props.person.email}`} {...buttonProps}>
      <Ellipsis aria-hidden size={16} />
    </Button>
  );
  return Panel ? <Panel {...props} trigger={button} /> : button;
}
