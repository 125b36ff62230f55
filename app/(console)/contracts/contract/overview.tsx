"use client";
import type { ReactNode } from "react";
import { PointsCards } from "@/app/(console)/batches/points-cards";
import { ISSUANCE_LABELS } from "@/app/(console)/batches/status";
import { defaultWaitSeconds } from "@/app/(console)/batches/wait-field";
import { Issuances } from "@/app/(console)/contracts/contract/tables";
import { recipientPath } from "@/app/(console)/paths";
import Checklist from "@/app/(console)/setup/checklist";
import { useStaff } from "@/app/(console)/staff";
import { Amount, counted } from "@/app/ui/amount";
import { Button, TextLink } from "@/app/ui/button";
import { HashText } from "@/app/ui/hash-text";
import { Fact, FactList, Section } from "@/app/ui/section";
import type { AccountBalances } from "@/server/ledger/accounts";
import { formatDuration } from "@/terms/output-text";
import { useContract } from "./use-contract";

/** POSTs of the last month that can each pay twice, if the program or a library between sends them again. */
type Keyless = { count: number; isAtLeast: boolean };

/** @param plots drawn on the server */
export function Overview({ plots, keyless }: { plots: ReactNode; keyless: Keyless | null }) {
  const { address } = useContract().contract;
  return (
    <>
      <Balances />
      <Facts keyless={keyless} />
      <Checklist contractAddress={address} />
      {plots}
      <Issuances />
    </>
  );
}

function Facts({ keyless }: { keyless: Keyless | null }) {
  const { contract, openDialog } = useContract();
  const { role, limits } = useStaff();
  const change = (kind: "issuance" | "operator" | "wait" | "key", what: string = kind) =>
    role === "admin" && (
      <Button
        size="small"
        className="ml-2"
        onClick={() => openDialog({ kind })}
        aria-label={`Change ${what}`}
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
        {formatDuration(defaultWaitSeconds(contract.defaultWaitSeconds, limits))}{" "}
        {change("wait", "default wait")}
      </Fact>
      <Fact name="Idempotency key">
        {contract.keyRequired ? "Required" : "Optional"} {change("key", "key requirement")}
        {keyless && (
          <span className="hint block">
            {keyless.isAtLeast && "At least "}
            {counted(keyless.count, "POST", "POSTs")} without one in 30 days
          </span>
        )}
      </Fact>
      <Fact name="Registered" at={contract.createdAt} />
    </FactList>
  );
}

/** Whatever an ON_DEMAND contract lacks is issued when it submits, so nothing limits what it can give. */
function Balances() {
  const { address, balances, issuance } = useContract().contract;
  return (
    <Section title="Balances">
      <PointsCards
        what="balances"
        amountOf={(type) => balances[type].available}
        of={issuance === "ON_DEMAND" ? "available, and more on demand" : "available"}
      >
        {(type) => {
          const amountOf = (key: keyof AccountBalances) => <Amount value={balances[type][key]} wraps />;
          return (
            <dl>
              <Fact name="Issued">{amountOf("earnedCumulative")}</Fact>
              <Fact name="+ Received or taken back">
                <TextLink href={recipientPath(address)}>{amountOf("receivedCumulative")}</TextLink>
              </Fact>
              <Fact name="− Sent or given back">{amountOf("finalizedSentCumulative")}</Fact>
              <Fact name="− Pending">{amountOf("pendingSent")}</Fact>
            </dl>
          );
        }}
      </PointsCards>
    </Section>
  );
}
