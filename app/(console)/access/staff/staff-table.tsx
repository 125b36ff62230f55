"use client";
import { Ban, Check, Mail, TriangleAlert, UserCheck } from "lucide-react";
import type { ReactNode } from "react";
import type { StaffPerson } from "@/server/staff/console-schema";
import { Badge } from "../../../ui/badge";
import { Instant, When } from "../../../ui/instant";
import { type PageColumn, PageTable } from "../../../ui/page-table";
import { ROLES } from "./roles";
import type { StaffDialog } from "./staff-dialogs";
import { StaffMenu } from "./staff-menu";

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
