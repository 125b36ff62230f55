"use client";
import { useQuery } from "@tanstack/react-query";
import { UserPlus } from "lucide-react";
import dynamic from "next/dynamic";
import { useState } from "react";
import type { StaffPerson } from "@/server/staff/console-schema";
import { problemOf } from "../../../data/problem";
import { useTRPC } from "../../../data/trpc";
import { Banner } from "../../../ui/banner";
import { Button } from "../../../ui/button";
import { ErrorState } from "../../../ui/error-state";
import { useMediaQuery } from "../../../ui/use-media-query";
import { useStaff } from "../../staff";
import { AccessHead } from "../access-head";
import { AccessSkeleton } from "../access-skeleton";
import { StaffCards } from "./staff-cards";
import type { Asked } from "./staff-dialog";
import { StaffTable } from "./staff-table";

const StaffDialog = dynamic(() => import("./staff-dialog").then((module) => module.StaffDialog), {
  ssr: false,
});

const FRESH_EVERY_MS = 30_000;

export function StaffList() {
  const trpc = useTRPC();
  const me = useStaff();
  const query = useQuery(
    trpc.console.staff.list.queryOptions(undefined, { refetchInterval: FRESH_EVERY_MS }),
  );
  const isPhone = useMediaQuery("(max-width: 767px)");
  // The count is the key of the dialog: each one opens with fresh state.
  const [asked, setAsked] = useState<{ what: Asked; count: number } | null>(null);
  const [open, setOpen] = useState(false);
  const ask = (what: Asked) => {
    setAsked((last) => ({ what, count: (last?.count ?? 0) + 1 }));
    setOpen(true);
  };
  const isAdmin = me.role === "admin";
  const Rows = isPhone ? StaffCards : StaffTable;
  return (
    <div className="flex min-h-0 flex-1 flex-col">
      <AccessHead
        here="/access"
        action={
          isAdmin && (
            <Button variant="primary" onClick={() => ask({ kind: "invite" })}>
              <UserPlus aria-hidden size={14} />
              Invite member
            </Button>
          )
        }
      />
      <StaffRows
        query={query}
        render={(people) => (
          <Rows
            people={people}
            ownEmail={me.email}
            ask={isAdmin ? ask : undefined}
            end={
              people.length === 1 && isAdmin ? <OnlyMember onInvite={() => ask({ kind: "invite" })} /> : null
            }
          />
        )}
      />
      {asked && (
        <StaffDialog
          key={asked.count}
          asked={asked.what}
          open={open}
          onOpenChange={setOpen}
          ownEmail={me.email}
        />
      )}
    </div>
  );
}

interface StaffRowsProps {
  query: {
    data?: StaffPerson[];
    isPending: boolean;
    isError: boolean;
    error: unknown;
    refetch: () => unknown;
  };
  render: (people: StaffPerson[]) => React.ReactNode;
}

function StaffRows({ query, render }: StaffRowsProps) {
  if (query.data) {
    return (
      <>
        {query.isError && (
          <div className="px-4 py-2 md:px-6">
            <Banner
              action={
                <Button size="small" onClick={() => void query.refetch()}>
                  Try again
                </Button>
              }
            >
              This list may be out of date: the last update failed.
            </Banner>
          </div>
        )}
        {render(query.data)}
      </>
    );
  }
  if (query.isPending) return <AccessSkeleton what="team members" />;
  return <ErrorState {...problemOf(query.error)} onRetry={() => void query.refetch()} />;
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
