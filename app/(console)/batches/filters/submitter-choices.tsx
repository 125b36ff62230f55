"use client";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { SUBMITTER_PATTERN } from "@/server/batches/list/sorts";
import { ADDRESS_PATTERN } from "@/server/kernel/values/patterns";
import { useTRPC } from "../../../data/trpc";
import { Input } from "../../../ui/field";
import { Skeleton } from "../../../ui/skeleton";
import { useFocus } from "../../../ui/use-focus";
import { useStaff } from "../../staff";
import { useListParams } from "../use-list-params";
import { submitterName } from "./submitter-name";

const FRESH_MS = 60_000;

/** Team members, the tokens and operator of the chosen contract, and whatever token or operator the text names. */
export function SubmitterChoices({ onChoose }: { onChoose: (submitter: string) => void }) {
  const trpc = useTRPC();
  const { email } = useStaff();
  const { params } = useListParams();
  const field = useFocus<HTMLInputElement>();
  const [search, setSearch] = useState("");
  const staff = useQuery(trpc.console.staff.list.queryOptions(undefined, { staleTime: FRESH_MS }));
  const ofContract = { staleTime: FRESH_MS, enabled: params.contract !== null };
  const contract = { contractAddress: params.contract ?? "" };
  const tokens = useQuery(trpc.console.contracts.tokens.queryOptions(contract, ofContract));
  const details = useQuery(trpc.console.contracts.get.queryOptions(contract, ofContract));

  const given = search.trim();
  const operator = details.data?.operatorAddress;
  const known = [
    ...(tokens.data?.map(({ name }) => `token:${name}`) ?? []),
    ...(operator ? [`operator:${operator}`] : []),
    `staff:${email}`,
    ...(staff.data?.map((person) => `staff:${person.email}`) ?? []),
    "ops",
  ].filter((one) => `${one} ${submitterName(one, email)}`.toLowerCase().includes(given.toLowerCase()));
  const named = ADDRESS_PATTERN.test(given) ? `operator:${given}` : `token:${given}`;
  const choices = [...new Set([...known, ...(given && SUBMITTER_PATTERN.test(named) ? [named] : [])])];
  return (
    <div className="flex w-80 max-w-full flex-col gap-2">
      <Input
        ref={field}
        aria-label="Email, token name or operator address"
        placeholder="Email, token name or operator address"
        value={search}
        onChange={(event) => setSearch(event.target.value)}
      />
      <div className="flex max-h-64 flex-col overflow-y-auto">
        {staff.isPending && <Skeleton className="m-2 h-4 w-40" />}
        {(staff.isError || tokens.isError || details.isError) && (
          <p className="p-2 text-danger text-label">Could not load all names. Enter the exact name.</p>
        )}
        {choices.map((submitter) => (
          <button
            key={submitter}
            type="button"
            title={submitter}
            onClick={() => onChoose(submitter)}
            className="min-h-8 shrink-0 truncate rounded-control px-2 text-left text-table -outline-offset-2 hover:bg-hover"
          >
            {submitterName(submitter, email)}
          </button>
        ))}
      </div>
      {params.contract === null && (
        <p className="text-label text-muted">Filter by a contract to see its tokens and operator.</p>
      )}
    </div>
  );
}
