"use client";
import { useQuery } from "@tanstack/react-query";
import { useTRPC } from "../../../data/trpc";
import { shortenHash } from "../../../ui/hash-text";
import { SearchList } from "../../../ui/search-list";

const FRESH_MS = 60_000;

export function ContractChoices({ onChoose }: { onChoose: (address: string) => void }) {
  const trpc = useTRPC();
  const contracts = useQuery(trpc.console.contracts.list.queryOptions(undefined, { staleTime: FRESH_MS }));
  const options = contracts.data?.map(({ address, label }) => ({
    value: address,
    text: `${label} ${address}`,
    label,
    detail: shortenHash(address),
  }));
  return (
    <SearchList
      label="Search contracts by label or address"
      placeholder="Label or address"
      isPending={contracts.isPending}
      error={contracts.isError && "Could not load the contracts. Close this and try again."}
      options={() => options ?? []}
      onChoose={onChoose}
    />
  );
}
