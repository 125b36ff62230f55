"use client";
import { useQuery } from "@tanstack/react-query";
import dynamic from "next/dynamic";
import { useTRPC } from "../../../data/trpc";
import { shortenHash } from "../../../ui/hash-text";
import { useListParams } from "../use-list-params";
import { FilterChip } from "./filter-chip";

const ContractChoices = dynamic(() => import("./contract-choices").then((module) => module.ContractChoices), {
  ssr: false,
});

const FRESH_MS = 60_000;

export function ContractFilter() {
  const { params, setParams } = useListParams();
  const trpc = useTRPC();
  const contracts = useQuery(
    trpc.console.contracts.list.queryOptions(undefined, {
      staleTime: FRESH_MS,
      enabled: params.contract !== null,
    }),
  );
  const label = contracts.data?.find(({ address }) => sameAddress(address, params.contract))?.label;
  return (
    <FilterChip
      name="Contract"
      value={params.contract ? label || shortenHash(params.contract) : undefined}
      onClear={() => void setParams({ contract: null })}
    >
      {(close) => (
        <ContractChoices
          onChoose={(contract) => {
            void setParams({ contract });
            close();
          }}
        />
      )}
    </FilterChip>
  );
}

const sameAddress = (one: string, other: string | null) => one.toLowerCase() === other?.toLowerCase();
