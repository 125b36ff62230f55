"use client";
import type { ReactNode } from "react";
import { PointsCards } from "@/app/(console)/batches/points-cards";
import { ISSUANCE_LABELS } from "@/app/(console)/batches/status";
import { defaultWaitSeconds } from "@/app/(console)/batches/wait-field";
import { Issuances } from "@/app/(console)/contracts/contract/tables";
import Checklist from "@/app/(console)/setup/checklist";
import { useStaff } from "@/app/(console)/staff";
import { Amount, counted, fractionDigits } from "@/app/ui/amount";
import { Button } from "@/app/ui/button";
import { formatDuration } from "@/app/ui/format-time";
import { HashText } from "@/app/ui/hash-text";
import { Fact, FactList, Section } from "@/app/ui/section";
import type { ConsoleContractDetail } from "@/server/contracts/schema";
import type { AccountBalances } from "@/server/ledger/accounts";
import { useContract } from "./use-contract";

/** How long the first steps are shown. */
const NEW_MS = 30 * 86_400_000;

const isNew = ({ createdAt, now }: { createdAt: string; now: string }) =>
  Date.parse(now) - Date.parse(createdAt) < NEW_MS;

/** @param plots drawn on the server */
export function Overview({ plots }: { plots: ReactNode }) {
  const { contract } = useContract();
  return (
    <>
      <Facts />
      {isNew(contract) && <Checklist contractAddress={contract.address} />}
      <Balances />
      {plots}
      <Issuances />
    </>
  );
}

function Facts() {
  const { contract, openDialog } = useContract();
  const { role, waitLimits } = useStaff();
  const change = (kind: "issuance" | "operator" | "wait") =>
    role === "admin" && (
      <Button
        size="small"
        onClick={() => openDialog({ kind })}
        aria-label={`Change ${kind === "wait" ? "default wait" : kind}`}
      >
        Change…
      </Button>
    );
  return (
    <FactList className="@4xl:grid-cols-2">
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
      <Fact name="Default wait" title="Of batches that are submitted in the console">
        {formatDuration(defaultWaitSeconds(contract.defaultWaitSeconds, waitLimits))} {change("wait")}
      </Fact>
      <Fact name="Registered" at={contract.createdAt} />
    </FactList>
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

function Balances() {
  const { balances, issuance } = useContract().contract;
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
