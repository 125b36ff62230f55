"use client";
import type { ReactNode } from "react";
import type { StaffPerson } from "@/server/staff/console-schema";
import { Instant } from "../../../ui/instant";
import { ScrollRegion } from "../../../ui/scroll-region";
import { PersonState } from "./person-state";
import { ROLES } from "./roles";
import type { Asked } from "./staff-dialog";
import { StaffMenu } from "./staff-menu";

export interface StaffRowsProps {
  people: StaffPerson[];
  ownEmail: string;
  /** Opens a dialog; undefined when the user may not change anything. */
  ask: ((asked: Asked) => void) | undefined;
  end: ReactNode;
}

const HEAD =
  "h-9 border-line border-b bg-surface px-2.5 text-left font-medium text-label text-muted first:pl-6 last:pr-6";
const CELL = "border-line border-b px-2.5 first:pl-6 last:pr-6";

export function StaffTable({ people, ownEmail, ask, end }: StaffRowsProps) {
  return (
    <ScrollRegion aria-label="Team members" className="min-h-0 flex-1 overflow-auto -outline-offset-2">
      <table className="w-full border-separate border-spacing-0 text-table">
        <thead className="sticky top-0 z-10">
          <tr>
            <th scope="col" className={HEAD}>
              Email
            </th>
            <th scope="col" className={HEAD}>
              Role
            </th>
            <th scope="col" className={HEAD}>
              Status
            </th>
            <th scope="col" className={HEAD}>
              Last sign-in
            </th>
            <th scope="col" className={HEAD}>
              Added
            </th>
            {ask && (
              <th scope="col" className={HEAD}>
                <span className="sr-only">Actions</span>
              </th>
            )}
          </tr>
        </thead>
        <tbody>
          {people.map((person) => (
            <tr key={person.id} className="h-11 bg-surface hover:bg-hover">
              <th scope="row" className={`${CELL} max-w-96 text-left font-medium`}>
                <PersonName person={person} ownEmail={ownEmail} />
              </th>
              <td className={CELL} title={ROLES[person.role].can}>
                {ROLES[person.role].label}
              </td>
              <td className={CELL}>
                <PersonState person={person} />
                <LinkEnd person={person} />
              </td>
              <td className={`${CELL} tabular-nums`}>
                <LastSignIn person={person} />
              </td>
              <td className={`${CELL} text-muted tabular-nums`}>
                <Instant at={person.createdAt} />
              </td>
              {ask && (
                <td className={`${CELL} w-px`}>
                  <StaffMenu person={person} ask={ask} />
                </td>
              )}
            </tr>
          ))}
        </tbody>
      </table>
      {end}
    </ScrollRegion>
  );
}

export function PersonName({ person, ownEmail }: { person: StaffPerson; ownEmail: string }) {
  return (
    <span className="flex min-w-0 items-center gap-2">
      <span title={person.email} className="truncate">
        {person.email}
      </span>
      {person.email === ownEmail && (
        <span className="shrink-0 rounded-badge border border-line px-1 font-normal text-label text-muted">
          you
        </span>
      )}
    </span>
  );
}

export function LastSignIn({ person }: { person: StaffPerson }) {
  return person.lastSignInAt ? (
    <Instant at={person.lastSignInAt} />
  ) : (
    <span className="text-muted">Never</span>
  );
}

export function LinkEnd({ person }: { person: StaffPerson }) {
  if (!person.linkExpiresAt) return null;
  return (
    <span className="ml-2 whitespace-nowrap text-label text-muted tabular-nums">
      link expires <Instant at={person.linkExpiresAt} />
    </span>
  );
}
