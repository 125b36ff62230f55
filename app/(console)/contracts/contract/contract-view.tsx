"use client";
import { useQuery } from "@tanstack/react-query";
import dynamic from "next/dynamic";
import { type ReactNode, useState } from "react";
import { problemOf } from "../../../data/problem";
import { useTRPC } from "../../../data/trpc";
import { Banner } from "../../../ui/banner";
import { ErrorState } from "../../../ui/error-state";
import { Checklist } from "../../setup/checklist";
import { Approvals } from "./approvals";
import { Balances } from "./balances";
import { ContractHead } from "./contract-head";
import { ContractSkeleton } from "./contract-skeleton";
import type { Question } from "./dialog-props";
import { Issuances } from "./issuances";
import { RecentBatches } from "./recent-batches";
import { Tokens } from "./tokens";

const ContractDialogs = dynamic(() => import("./dialogs").then((module) => module.ContractDialogs), {
  ssr: false,
});

const EVERY_MS = 10_000;
/** Later, its first steps are no longer shown. */
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
  const contract = useQuery(
    trpc.console.contracts.get.queryOptions({ contractAddress }, { refetchInterval: EVERY_MS }),
  );
  const [question, setQuestion] = useState<Question>();
  if (contract.isPending) return <ContractSkeleton />;
  if (!contract.data)
    return <ErrorState {...problemOf(contract.error)} onRetry={() => void contract.refetch()} />;
  return (
    <div className="@container flex flex-col gap-6 p-4 md:p-6">
      {contract.isRefetchError && (
        <Banner>This page may be out of date: the last update failed. Retrying automatically.</Banner>
      )}
      <ContractHead contract={contract.data} ask={setQuestion} />
      {isNew(contract.data) && <Checklist contractAddress={contract.data.address} />}
      <Balances contract={contract.data} />
      {plots}
      <RecentBatches contractAddress={contract.data.address} />
      <Approvals contract={contract.data} ask={setQuestion} />
      <Tokens contractAddress={contract.data.address} ask={setQuestion} />
      <Issuances contract={contract.data} ask={setQuestion} />
      {question && (
        <ContractDialogs question={question} contract={contract.data} close={() => setQuestion(undefined)} />
      )}
    </div>
  );
}
