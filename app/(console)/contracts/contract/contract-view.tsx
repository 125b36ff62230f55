"use client";
import { useQuery } from "@tanstack/react-query";
import dynamic from "next/dynamic";
import { type ReactNode, useState } from "react";
import { useTRPC } from "../../../data/trpc";
import { StaleBanner } from "../../../ui/banner";
import { Loaded } from "../../../ui/loaded";
import { Checklist } from "../../setup/checklist";
import { Approvals } from "./approvals";
import { Balances } from "./balances";
import type { ContractDialog } from "./contract-dialog";
import { ContractHead } from "./contract-head";
import { ContractSkeleton } from "./contract-skeleton";
import { Issuances } from "./issuances";
import { RecentBatches } from "./recent-batches";
import { Tokens } from "./tokens";

const ContractDialogs = dynamic(() => import("./dialogs").then((module) => module.ContractDialogs), {
  ssr: false,
});

const REFETCH_MS = 10_000;
/** How long the first steps are shown. */
const NEW_MS = 30 * 86_400_000;

const isNew = ({ createdAt, now }: { createdAt: string; now: string }) =>
  Date.parse(now) - Date.parse(createdAt) < NEW_MS;

interface ContractViewProps {
  contractAddress: string;
  /** The plots, drawn on the server. */
  plots: ReactNode;
}

export function ContractView({ contractAddress, plots }: ContractViewProps) {
  const trpc = useTRPC();
  const query = useQuery(
    trpc.console.contracts.get.queryOptions({ contractAddress }, { refetchInterval: REFETCH_MS }),
  );
  const [dialog, openDialog] = useState<ContractDialog>();
  return (
    <Loaded query={query} skeleton={<ContractSkeleton />}>
      {(contract) => (
        <div className="@container flex flex-col gap-6 p-4 md:p-6">
          {query.isRefetchError && <StaleBanner />}
          <ContractHead contract={contract} openDialog={openDialog} />
          {isNew(contract) && <Checklist contractAddress={contract.address} />}
          <Balances contract={contract} />
          {plots}
          <RecentBatches contractAddress={contract.address} />
          <Approvals contract={contract} openDialog={openDialog} />
          <Tokens contractAddress={contract.address} openDialog={openDialog} />
          <Issuances contract={contract} openDialog={openDialog} />
          {dialog && (
            <ContractDialogs dialog={dialog} contract={contract} close={() => openDialog(undefined)} />
          )}
        </div>
      )}
    </Loaded>
  );
}
