"use client";
import { ScrollRegion } from "../../../ui/scroll-region";
import { PersonState } from "./person-state";
import { ROLES } from "./roles";
import { StaffMenu } from "./staff-menu";
import { LastSignIn, LinkEnd, PersonName, type StaffRowsProps } from "./staff-table";

export function StaffCards({ people, ownEmail, ask, end }: StaffRowsProps) {
  return (
    <ScrollRegion aria-label="Team members" className="min-h-0 flex-1 overflow-auto -outline-offset-2">
      <ul>
        {people.map((person) => (
          <li
            key={person.id}
            className="flex items-center gap-2 border-line border-b bg-surface py-3 pr-2 pl-4"
          >
            <div className="flex min-w-0 flex-1 flex-col gap-1">
              <span className="font-medium">
                <PersonName person={person} ownEmail={ownEmail} />
              </span>
              <span className="flex flex-wrap items-center gap-x-2 gap-y-1 text-table">
                {ROLES[person.role].label}
                <PersonState person={person} />
                <LinkEnd person={person} />
              </span>
              <span className="text-label text-muted tabular-nums">
                Last sign-in: <LastSignIn person={person} />
              </span>
            </div>
            {ask && <StaffMenu person={person} ask={ask} />}
          </li>
        ))}
      </ul>
      {end}
    </ScrollRegion>
  );
}
