"use client";
import { useInfiniteQuery } from "@tanstack/react-query";
import { clsx } from "clsx";
import { FileText, Plus, Search } from "lucide-react";
import { useQueryStates } from "nuqs";
import { useState } from "react";
import { ISSUANCE_LABELS, TYPE_LABELS } from "@/app/(console)/batches/status";
import { ALL_STATEMENTS, contractPath } from "@/app/(console)/paths";
import { useStaff } from "@/app/(console)/staff";
import { usePages, useTRPC } from "@/app/data/trpc";
import { Button, ButtonLink, Link, Spinner } from "@/app/ui/button";
import { amountColumn, type DataColumn, PagedTable, ROW_LINK } from "@/app/ui/data-table";
import { SearchInput } from "@/app/ui/fields";
import { findLookalikes, HashText } from "@/app/ui/hash-text";
import { later } from "@/app/ui/later";
import { EmptyState, Loaded, PageSkeleton, StaleBanner } from "@/app/ui/states";
import type { ConsoleContract } from "@/server/contracts/schema";
import type { AccountBalances } from "@/server/ledger/accounts";
import { POINT_TYPES, type PointType } from "@/terms/batch-terms";
import { contractParams, toSearchInput } from "./contract-params";

const RegisterDialog = later(() => import("./register-dialog"));

const REFETCH_MS = 15_000;

export function ContractList() {
  const [params, setParams] = useQueryStates(contractParams, { history: "replace" });
  const { role } = useStaff();
  const { search } = useTRPC().console.contracts;
  const query = useInfiniteQuery({
    ...usePages(search, toSearchInput(params)),
    refetchInterval: REFETCH_MS,
  });
  const [isRegistering, setRegistering] = useState(false);
  const contracts = query.data?.pages.flatMap((page) => page.contracts) ?? [];
  const clear = params.q ? () => void setParams({ q: null }) : undefined;

  return (
    <div className="flex flex-col gap-4 p-4 md:p-6">
      <div className="flex flex-wrap items-center gap-3">
        <h1 className="font-semibold text-title">Contracts</h1>
        {query.isPlaceholderData && <Spinner label="Loading" />}
        <div className="ml-auto flex flex-wrap gap-2">
          <ButtonLink href={ALL_STATEMENTS}>Statements</ButtonLink>
          {role === "admin" && (
            <Button variant="primary" icon={Plus} onClick={() => setRegistering(true)}>
              Register contract
            </Button>
          )}
        </div>
      </div>
      <SearchInput
        aria-label="Search contracts by label or address"
        placeholder="Label or address"
        value={params.q}
        onChange={({ target }) => void setParams({ q: target.value || null })}
        className="w-full max-w-md"
      />
      {query.isRefetchError && <StaleBanner />}
      <Loaded query={query} skeleton={<PageSkeleton />}>
        {() =>
          contracts.length > 0 ? (
            <PagedTable
              label="Contracts"
              columns={columnsOf(contracts)}
              rows={contracts}
              keyOf={({ address }) => address}
              linked
              className="card md:max-xl:[&_:is(td,th)]:px-1.5"
              query={query}
              one="contract"
              many="contracts"
            />
          ) : (
            <NoContracts onClear={clear} />
          )
        }
      </Loaded>
      {isRegistering && <RegisterDialog close={() => setRegistering(false)} />}
    </div>
  );
}

function NoContracts({ onClear }: { onClear: (() => void) | undefined }) {
  if (onClear)
    return (
      <EmptyState icon={Search} title="No results">
        Search for any part of a label, or the start of an address.
        <Button onClick={onClear}>Clear search</Button>
      </EmptyState>
    );
  return (
    <EmptyState icon={FileText} title="No contracts yet">
      <p>
        A contract is an address that sends points. It can submit batches once an admin has registered it and
        created an access token for it, here or with{" "}
        <code className="mono">npm run -s ops -- contract create</code>.
      </p>
    </EmptyState>
  );
}

function columnsOf(contracts: ConsoleContract[]): DataColumn<ConsoleContract>[] {
  const lookalikes = findLookalikes(contracts.map(({ address }) => address));
  const balanceColumn = (type: PointType, balance: keyof AccountBalances, label: string) =>
    amountColumn(
      `${TYPE_LABELS[type]} ${label}`,
      contracts,
      ({ balances }) => balances[type][balance],
      ({ balances }) => balances[type][balance] === "0" && "text-muted",
    );
  return [
    {
      name: "Contract",
      render: ({ address, label }) => (
        <span className="flex min-w-0 flex-col gap-1">
          <Link
            href={contractPath(address)}
            title={label}
            className={clsx(
              "block max-w-64 truncate rounded-badge font-medium outline-offset-1 hover:text-accent",
              ROW_LINK,
            )}
          >
            {label}
          </Link>
          <HashText
            value={address}
            what="contract address"
            lookalike={lookalikes.has(address)}
            className="relative z-10 text-muted"
          />
        </span>
      ),
    },
    {
      name: "Issuance",
      render: ({ issuance }) => <span className="whitespace-nowrap">{ISSUANCE_LABELS[issuance]}</span>,
    },
    ...POINT_TYPES.flatMap((type) => [
      balanceColumn(type, "available", "available"),
      balanceColumn(type, "pendingSent", "pending"),
    ]),
  ];
}
