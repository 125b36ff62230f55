"use client";
import { useQuery } from "@tanstack/react-query";
import { Pencil } from "lucide-react";
import dynamic from "next/dynamic";
import { type ReactNode, useState } from "react";
import { PointsCards } from "@/app/(console)/batches/points-cards";
import { ISSUANCE_LABELS } from "@/app/(console)/batches/status";
import { Requests } from "@/app/(console)/contracts/contract/requests";
import { Issuances, RecentBatches, TOKENS_ID, Tokens } from "@/app/(console)/contracts/contract/tables";
import { recipientPath, statementsPath, webhooksPath } from "@/app/(console)/paths";
import Checklist from "@/app/(console)/setup/checklist";
import { useStaff } from "@/app/(console)/staff";
import { useTRPC } from "@/app/data/trpc";
import { Amount, counted, fractionDigits } from "@/app/ui/amount";
import { Button, ButtonLink } from "@/app/ui/button";
import { buttonLook } from "@/app/ui/button-look";
import { HashText } from "@/app/ui/hash-text";
import { Fact, FactList, Section } from "@/app/ui/section";
import { Loaded, PageSkeleton, StaleBanner } from "@/app/ui/states";
import type { ConsoleContractDetail } from "@/server/contracts/schema";
import type { AccountBalances } from "@/server/ledger/accounts";
import { Approvals, type ContractDialog, type ContractSectionProps } from "./approvals";

const ContractDialogs = dynamic(() => import("./contract-dialogs"));

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
    <Loaded query={query} skeleton={<PageSkeleton />}>
      {(contract) => (
        <div className="@container mx-auto flex w-full max-w-[1200px] flex-col gap-6 p-4 md:p-6">
          {query.isRefetchError && <StaleBanner />}
          <ContractHead contract={contract} openDialog={openDialog} />
          {isNew(contract) && <Checklist contractAddress={contract.address} />}
          <Balances contract={contract} />
          {plots}
          <RecentBatches contractAddress={contract.address} />
          <Approvals contract={contract} openDialog={openDialog} />
          <Tokens contract={contract} openDialog={openDialog} />
          <Requests contractAddress={contract.address} />
          <Issuances contract={contract} openDialog={openDialog} />
          {dialog && (
            <ContractDialogs dialog={dialog} contract={contract} close={() => openDialog(undefined)} />
          )}
        </div>
      )}
    </Loaded>
  );
}

function ContractHead({ contract, openDialog }: ContractSectionProps) {
  const { role } = useStaff();
  const change = (kind: "issuance" | "operator") =>
    role === "admin" && (
      <Button size="small" onClick={() => openDialog({ kind })} aria-label={`Change ${kind}`}>
        Change…
      </Button>
    );
  return (
    <div className="flex flex-col gap-4">
      <div className="flex flex-wrap items-start gap-x-4 gap-y-3">
        <div className="min-w-0">
          <div className="flex items-center gap-1">
            <h1 className="min-w-0 break-words font-semibold text-title">{contract.label}</h1>
            {role !== "viewer" && (
              <Button
                variant="ghost"
                size="icon"
                icon={Pencil}
                aria-label="Rename contract"
                title="Rename contract"
                onClick={() => openDialog({ kind: "rename" })}
              />
            )}
          </div>
          <HashText value={contract.address} what="contract address" form="whole" className="text-muted" />
        </div>
        <div className="ml-auto flex flex-wrap gap-2">
          <a href={`#${TOKENS_ID}`} className={buttonLook()}>
            Access tokens
          </a>
          <ButtonLink href={recipientPath(contract.address)}>View as recipient</ButtonLink>
          <ButtonLink href={statementsPath(contract.address)}>Statements</ButtonLink>
          <ButtonLink href={webhooksPath(contract.address)}>Webhooks</ButtonLink>
        </div>
      </div>
      <FactList className="@4xl:grid-cols-3">
        <Fact name="Issuance">
          {ISSUANCE_LABELS[contract.issuance]} {change("issuance")}
        </Fact>
        <Fact name="Operator">
          {contract.operatorAddress ? (
            <HashText value={contract.operatorAddress} what="operator address" />
          ) : (
            <span className="text-muted">None</span>
          )}
          {contract.operatorTokens > 0 && (
            <span className="hint"> {counted(contract.operatorTokens, "active token", "active tokens")}</span>
          )}{" "}
          {change("operator")}
        </Fact>
        <Fact name="Registered" at={contract.createdAt} />
      </FactList>
    </div>
  );
}

const PARTS = [
  { key: "earnedCumulative", name: "Issued", hint: "Issued or granted to the contract" },
  {
    key: "receivedCumulative",
    name: "Received",
    hint: "Received from finalized batches, and taken back by its own reversals",
  },
  {
    key: "finalizedSentCumulative",
    name: "Sent",
    hint: "Sent by its finalized batches, and taken back from it by other contracts",
  },
  {
    key: "pendingSent",
    name: "Pending",
    hint: "Reserved for its pending batches, and for pending reversals of other contracts",
  },
  { key: "available", name: "Available", hint: "Can be sent without issuing more" },
] as const satisfies readonly { key: keyof AccountBalances; name: string; hint: string }[];

/** Points are issued to an ON_DEMAND contract when it submits, so it usually has none available. */
const LEADS = {
  PREFUNDED: { key: "available", of: "available" },
  ON_DEMAND: { key: "earnedCumulative", of: "issued" },
} as const satisfies Record<ConsoleContractDetail["issuance"], { key: keyof AccountBalances; of: string }>;

function Balances({ contract: { balances, issuance } }: { contract: ConsoleContractDetail }) {
  const lead = LEADS[issuance];
  return (
    <Section title="Balances" note="Available = issued + received − sent − pending">
      <PointsCards codes what="balances" amountOf={(type) => balances[type][lead.key]} of={lead.of}>
        {(type) => {
          const amounts = balances[type];
          const fraction = fractionDigits(PARTS.map(({ key }) => amounts[key]));
          return (
            <dl>
              {PARTS.filter(({ key }) => key !== lead.key).map(({ key, name, hint }) => (
                <Fact key={key} name={name} title={hint}>
                  <Amount
                    value={amounts[key]}
                    fraction={fraction}
                    wraps
                    className="max-md:[&_span]:min-w-0!"
                  />
                </Fact>
              ))}
            </dl>
          );
        }}
      </PointsCards>
    </Section>
  );
}
