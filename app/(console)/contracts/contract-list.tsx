"use client";
import { keepPreviousData, useInfiniteQuery } from "@tanstack/react-query";
import { LoaderCircle, Plus } from "lucide-react";
import dynamic from "next/dynamic";
import { useQueryStates } from "nuqs";
import { useState } from "react";
import { problemOf } from "../../data/problem";
import { useTRPC, useTRPCClient } from "../../data/trpc";
import { Banner } from "../../ui/banner";
import { Button } from "../../ui/button";
import { ErrorState } from "../../ui/error-state";
import { MoreRows } from "../../ui/more-rows";
import { useStaff } from "../staff";
import { ContractTable } from "./contract-table";
import { ContractsSkeleton } from "./contracts-skeleton";
import { contractParams, toSearchInput } from "./list-params";
import { NoContracts } from "./no-contracts";
import { SearchBox } from "./search-box";

const RegisterDialog = dynamic(() => import("./register-dialog").then((module) => module.RegisterDialog), {
  ssr: false,
});

const EVERY_MS = 15_000;

export function ContractList() {
  const [params, setParams] = useQueryStates(contractParams, { history: "replace" });
  const { role } = useStaff();
  const query = useContracts(params);
  const [registering, setRegistering] = useState<boolean>();
  const contracts = query.data?.pages.flatMap((page) => page.contracts) ?? [];
  const clear = params.q ? () => void setParams({ q: null }) : undefined;

  const content = () => {
    if (query.isPending) return <ContractsSkeleton />;
    if (query.isError && contracts.length === 0)
      return <ErrorState {...problemOf(query.error)} onRetry={() => void query.refetch()} />;
    if (contracts.length === 0) return <NoContracts onClear={clear} />;
    return (
      <>
        <ContractTable contracts={contracts} sort={params.sort} onSort={(sort) => void setParams({ sort })} />
        <MoreRows query={query} count={contracts.length} one="contract" many="contracts" />
      </>
    );
  };
  return (
    <div className="flex flex-col gap-4 p-4 md:p-6">
      <div className="flex flex-wrap items-center gap-3">
        <h1 className="font-semibold text-title">Contracts</h1>
        {query.isPlaceholderData && (
          <LoaderCircle aria-label="Loading" size={14} className="animate-spin text-muted" />
        )}
        {role === "admin" && (
          <Button variant="primary" className="ml-auto" onClick={() => setRegistering(true)}>
            <Plus aria-hidden size={14} />
            Register contract
          </Button>
        )}
      </div>
      <SearchBox value={params.q} onChange={(q) => void setParams({ q: q || null })} />
      {query.isRefetchError && contracts.length > 0 && (
        <Banner>These balances may be out of date: the last update failed. Retrying automatically.</Banner>
      )}
      {content()}
      {registering !== undefined && <RegisterDialog open={registering} onOpenChange={setRegistering} />}
    </div>
  );
}

function useContracts(params: Parameters<typeof toSearchInput>[0]) {
  const trpc = useTRPC();
  const client = useTRPCClient();
  const input = toSearchInput(params);
  // Not `infiniteQueryOptions`: it adds a `direction` that the list input does not have.
  return useInfiniteQuery({
    queryKey: trpc.console.contracts.search.infiniteQueryKey(input),
    queryFn: ({ pageParam, signal }) =>
      client.console.contracts.search.query({ ...input, cursor: pageParam }, { signal }),
    initialPageParam: null as string | null,
    getNextPageParam: (page) => page.cursor,
    placeholderData: keepPreviousData,
    refetchInterval: EVERY_MS,
  });
}
