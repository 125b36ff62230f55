"use client";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { useTRPC } from "../../../data/trpc";
import { Input } from "../../../ui/field";
import { Skeleton } from "../../../ui/skeleton";
import { actorName } from "./action-words";

/** Everyone who has an entry in the log. */
export function ActorChoices({ onChoose }: { onChoose: (actor: string) => void }) {
  const trpc = useTRPC();
  const actors = useQuery(trpc.console.audit.actors.queryOptions());
  const [search, setSearch] = useState("");
  const wanted = search.trim().toLowerCase();
  const found = actors.data?.filter((actor) => `${actor} ${actorName(actor)}`.toLowerCase().includes(wanted));
  return (
    <div className="flex w-72 max-w-full flex-col gap-2">
      <Input
        aria-label="Search actors"
        placeholder="Email or name"
        value={search}
        onChange={(event) => setSearch(event.target.value)}
      />
      <div className="flex max-h-64 flex-col overflow-y-auto">
        {actors.isPending && <Skeleton className="m-2 h-4 w-40" />}
        {actors.isError && (
          <p className="p-2 text-danger text-label">Could not load the actors. Close this and try again.</p>
        )}
        {found?.length === 0 && <p className="p-2 text-label text-muted">No results</p>}
        {found?.map((actor) => (
          <button
            key={actor}
            type="button"
            title={actor}
            onClick={() => onChoose(actor)}
            className="min-h-8 shrink-0 truncate rounded-control px-2 text-left text-table -outline-offset-2 hover:bg-hover"
          >
            {actorName(actor)}
          </button>
        ))}
      </div>
    </div>
  );
}
