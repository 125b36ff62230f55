"use client";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { useTRPC } from "../../../data/trpc";
import { Input } from "../../../ui/field";
import { shortenHash } from "../../../ui/hash-text";
import { Skeleton } from "../../../ui/skeleton";
import { useFocus } from "../../../ui/use-focus";

const SHOWN_MAX = 50;
const FRESH_MS = 60_000;

export function ContractChoices({ onChoose }: { onChoose: (address: string) => void }) {
  const trpc = useTRPC();
  const contracts = useQuery(trpc.console.contracts.list.queryOptions(undefined, { staleTime: FRESH_MS }));
  const [search, setSearch] = useState("");
  const field = useFocus<HTMLInputElement>();
  const wanted = search.trim().toLowerCase();
  const found = contracts.data?.filter(({ address, label }) =>
    `${label} ${address}`.toLowerCase().includes(wanted),
  );
  return (
    <div className="flex w-80 max-w-full flex-col gap-2">
      <Input
        ref={field}
        aria-label="Search contracts by label or address"
        placeholder="Label or address"
        value={search}
        onChange={(event) => setSearch(event.target.value)}
      />
      <div className="flex max-h-64 flex-col overflow-y-auto">
        {contracts.isPending && <Skeleton className="m-2 h-4 w-40" />}
        {contracts.isError && (
          <p className="p-2 text-danger text-label">
            Could not load the contracts. Close this and try again.
          </p>
        )}
        {found?.length === 0 && <p className="p-2 text-label text-muted">No results</p>}
        {found?.slice(0, SHOWN_MAX).map(({ address, label }) => (
          <button
            key={address}
            type="button"
            onClick={() => onChoose(address)}
            className="flex min-h-8 shrink-0 items-center justify-between gap-3 rounded-control px-2 text-left text-table -outline-offset-2 hover:bg-hover"
          >
            <span className="truncate">{label}</span>
            <span className="shrink-0 font-mono text-mono text-muted">{shortenHash(address)}</span>
          </button>
        ))}
        {found && found.length > SHOWN_MAX && (
          <p className="p-2 text-label text-muted">
            {found.length - SHOWN_MAX} more. Type to narrow the list.
          </p>
        )}
      </div>
    </div>
  );
}
