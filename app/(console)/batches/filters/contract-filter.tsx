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
  return <ContractChip contract={params.contract} onChange={(contract) => void setParams({ contract })} />;
}

interface ContractChipProps {
  contract: string | null;
  onChange: (contract: string | null) => void;
}

export function ContractChip({ contract, onChange }: ContractChipProps) {
  const trpc = useTRPC();
  const contracts = useQuery(
    trpc.console.contracts.list.queryOptions(undefined, {
      staleTime: FRESH_MS,
      enabled: contract !== null,
    }),
  );
  const label = contracts.data?.find(({ address }) => sameAddress(address, contract))?.label;
  return (
    <FilterChip
      name="Contract"
      value={contract ? label || shortenHash(contract) : undefined}
      onClear={() => onChange(null)}
    >
      {(closing) => <ContractChoices onChoose={closing(onChange)} />}
    </FilterChip>
  );
}

const sameAddress = (one: string, other: string | null) => one.toLowerCase() === other?.toLowerCase();
