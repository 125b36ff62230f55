"use client";
import { useQuery } from "@tanstack/react-query";
import { ADDRESS_PATTERN, SUBMITTER_PATTERN } from "@/server/kernel/values/batch-terms";
import { useTRPC } from "../../../data/trpc";
import { SearchList } from "../../../ui/search-list";
import { useStaff } from "../../staff";
import { submitterName } from "../caller-names";
import { useListParams } from "../use-list-params";

const FRESH_MS = 60_000;

/** Team members, the tokens and operator of the chosen contract, and the token or operator that the text names. */
export function SubmitterChoices({ onChoose }: { onChoose: (submitter: string) => void }) {
  const trpc = useTRPC();
  const { email } = useStaff();
  const { params } = useListParams();
  const staff = useQuery(trpc.console.staff.list.queryOptions(undefined, { staleTime: FRESH_MS }));
  const ofContract = { staleTime: FRESH_MS, enabled: params.contract !== null };
  const contract = { contractAddress: params.contract ?? "" };
  const tokens = useQuery(trpc.console.contracts.tokens.queryOptions(contract, ofContract));
  const details = useQuery(trpc.console.contracts.get.queryOptions(contract, ofContract));
  const hasFailed = staff.isError || tokens.isError || details.isError;

  const operator = details.data?.operatorAddress;
  const known = [
    ...(tokens.data?.map(({ name }) => `token:${name}`) ?? []),
    ...(operator ? [`operator:${operator}`] : []),
    `staff:${email}`,
    ...(staff.data?.map((person) => `staff:${person.email}`) ?? []),
    "ops",
  ];
  const optionsOf = (search: string) => {
    const named = ADDRESS_PATTERN.test(search) ? `operator:${search}` : `token:${search}`;
    const submitters = new Set([...(search && SUBMITTER_PATTERN.test(named) ? [named] : []), ...known]);
    return [...submitters].map((submitter) => {
      const name = submitterName(submitter, email);
      return { value: submitter, text: `${submitter} ${name}`, label: name };
    });
  };
  return (
    <>
      <SearchList
        label="Email, token name or operator address"
        placeholder="Email, token name or operator address"
        isPending={staff.isPending}
        error={hasFailed && "Could not load all names. Enter the exact name."}
        options={optionsOf}
        onChoose={onChoose}
      />
      {params.contract === null && (
        <p className="mt-2 text-label text-muted">Filter by a contract to see its tokens and operator.</p>
      )}
    </>
  );
}
