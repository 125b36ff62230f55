"use client";
import { useQuery } from "@tanstack/react-query";
import { type SubmitEvent, useState } from "react";
import { ADDRESS_RULE, AddressInput } from "@/app/(console)/contracts/contract-fields";
import { claimPath } from "@/app/(console)/paths";
import { problemOf } from "@/app/data/problem";
import { useTRPC } from "@/app/data/trpc";
import { Button, TextLink } from "@/app/ui/button";
import { CodeBlock } from "@/app/ui/code-block";
import { textOf } from "@/app/ui/fields";
import { Section } from "@/app/ui/section";
import type { ClaimOut } from "@/server/allocations/schema";
import { addressError } from "@/terms/address-text";
import { type Payer, readsProof } from "@/terms/claims/payers";
import { amountText } from "./allocation-text";

interface ClaimLookupProps {
  allocationId: string;
  payer: Payer | null;
  isPublished: boolean;
}

export function ClaimLookup({ allocationId, payer, isPublished }: ClaimLookupProps) {
  const [address, setAddress] = useState<string | null>(null);
  const isAddress = address !== null && addressError(address) === null;
  const claim = useQuery(
    useTRPC().console.allocations.claim.queryOptions(
      { allocationId, address: address ?? "" },
      { enabled: isAddress },
    ),
  );
  const problem = claim.error && problemOf(claim.error);
  const isNone = problem?.code === "claim_not_found";
  const lookUp = (event: SubmitEvent<HTMLFormElement>) => {
    event.preventDefault();
    setAddress(textOf(new FormData(event.currentTarget), "address"));
  };
  return (
    <Section title="What an address gets">
      <form onSubmit={lookUp} noValidate className="flex max-w-[640px] items-start gap-2">
        <div className="min-w-0 flex-1">
          <AddressInput
            label="Address"
            name="address"
            error={address !== null && !isAddress ? ADDRESS_RULE : isNone ? undefined : problem?.detail}
          />
        </div>
        <Button type="submit" busy={claim.isFetching} className="mt-[22px] h-9!">
          Look up
        </Button>
      </form>
      {isNone && (
        <p role="status" className="text-table">
          It gets nothing: it held nothing or too little, or was left out.
        </p>
      )}
      {isAddress && claim.data && <Claim claim={claim.data} payer={payer} />}
      {isAddress && claim.data && isPublished && (
        <p className="hint">
          Anyone can <TextLink href={claimPath(address, allocationId)}>read this claim</TextLink>.
        </p>
      )}
    </Section>
  );
}

/** What a contract that reads OpenZeppelin's tree asks for. Uniswap and Sablier have others. */
const PROOF = ["address", "amount", "root", "proof"];

const Claim = ({ claim, payer }: { claim: ClaimOut; payer: Payer | null }) => (
  <div role="status" className="flex flex-col gap-2">
    <p className="wrap-anywhere text-table">
      It gets {amountText(claim.amount, { ...claim, payer })}.
      {readsProof(payer) && " Its proof for OpenZeppelin’s tree has the amount in base units:"}
    </p>
    {readsProof(payer) && <CodeBlock code={JSON.stringify(claim, PROOF, 2)} what="proof" wraps />}
  </div>
);
