"use client";
import { useQuery } from "@tanstack/react-query";
import { UserPlus } from "lucide-react";
import dynamic from "next/dynamic";
import { useState } from "react";
import { useTRPC } from "../../../data/trpc";
import { StaleBanner } from "../../../ui/banner";
import { Button } from "../../../ui/button";
import { Loaded } from "../../../ui/loaded";
import { useStaff } from "../../staff";
import { AccessHead } from "../access-head";
import { AccessSkeleton } from "../access-skeleton";
import type { StaffDialog } from "./staff-dialogs";
import { StaffTable } from "./staff-table";

const StaffDialogs = dynamic(() => import("./staff-dialogs").then((module) => module.StaffDialogs), {
  ssr: false,
});

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
