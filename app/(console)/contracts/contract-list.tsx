"use client";
import { keepPreviousData, useInfiniteQuery } from "@tanstack/react-query";
import { FileText, Plus, SearchX } from "lucide-react";
import dynamic from "next/dynamic";
import { useQueryStates } from "nuqs";
import { useState } from "react";
import { pagedQuery } from "../../data/paged-query";
import { useTRPC, useTRPCClient } from "../../data/trpc";
import { Banner } from "../../ui/banner";
import { Button } from "../../ui/button";
import { EmptyState } from "../../ui/empty-state";
import { QueryError } from "../../ui/loaded";
import { MoreRows } from "../../ui/more-rows";
import { Spinner } from "../../ui/spinner";
import { useStaff } from "../staff";
import { ContractTable } from "./contract-table";
import { ContractsSkeleton } from "./contracts-skeleton";
import { contractParams, toSearchInput } from "./list-params";
import { SearchBox } from "./search-box";

const RegisterDialog = dynamic(() => import("./register-dialog").then((module) => module.RegisterDialog), {
  ssr: false,
});

const REFETCH_MS = 15_000;

export function ContractList() {
  const [params, setParams] = useQueryStates(contractParams, { history: "replace" });
  const { role } = useStaff();
  const query = useContracts(params);
  const [isRegistering, setRegistering] = useState(false);
  const contracts = query.data?.pages.flatMap((page) => page.contracts) ?? [];
  const clear = params.q ? () => void setParams({ q: null }) : undefined;

  const content = () => {
    if (query.isPending) return <ContractsSkeleton />;
    if (query.isError && contracts.length === 0) return <QueryError query={query} />;
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
        {query.isPlaceholderData && <Spinner label="Loading" />}
        {role === "admin" && (
          <Button variant="primary" icon={Plus} className="ml-auto" onClick={() => setRegistering(true)}>
            Register contract
          </Button>
        )}
      </div>
      <SearchBox value={params.q} onChange={(q) => void setParams({ q: q || null })} />
      {query.isRefetchError && contracts.length > 0 && (
        <Banner>These balances may be out of date: the last update failed. Retrying automatically.</Banner>
      )}
      {content()}
      {isRegistering && <RegisterDialog close={() => setRegistering(false)} />}
    </div>
  );
}

function useContracts(params: Parameters<typeof toSearchInput>[0]) {
  const key = useTRPC().console.contracts.search;
  const { search } = useTRPCClient().console.contracts;
  const input = toSearchInput(params);
  return useInfiniteQuery({
    ...pagedQuery(key.infiniteQueryKey(input), (cursor, options) =>
      search.query({ ...input, cursor }, options),
    ),
    placeholderData: keepPreviousData,
    refetchInterval: REFETCH_MS,
  });
}

function NoContracts({ onClear }: { onClear: (() => void) | undefined }) {
  if (onClear)
    return (
      <EmptyState icon={SearchX} title="No results">
        <p className="text-muted">Search for any part of a label, or the start of an address.</p>
        <Button onClick={onClear}>Clear search</Button>
      </EmptyState>
    );
  return (
    <EmptyState icon={FileText} title="No contracts yet">
      <p className="text-muted">
        A contract is an address that sends points. It can submit batches once an admin has registered it and
        created an access token for it, here or with{" "}
        <code className="font-mono text-mono">npm run -s ops -- contract create</code>.
      </p>
    </EmptyState>
  );
}
