"use client";
import { useQuery } from "@tanstack/react-query";
import { type SubmitEvent, useState } from "react";
import { ADDRESS_RULE, AddressInput } from "@/app/(console)/contracts/contract-fields";
import { claimPath } from "@/app/(console)/paths";
import { problemOf } from "@/app/data/problem";
import { useTRPC } from "@/app/data/trpc";
import { Amount } from "@/app/ui/amount";
import { Button, TextLink } from "@/app/ui/button";
import { CodeBlock } from "@/app/ui/code-block";
import { textOf } from "@/app/ui/fields";
import { Section } from "@/app/ui/section";
import type { ClaimOut } from "@/server/allocations/schema";
import { addressError } from "@/terms/address-text";
import { PAYERS, type Payer, unitName } from "@/terms/claims/payers";

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
            error={
              address !== null && !isAddress
                ? ADDRESS_RULE
                : claim.error
                  ? problemOf(claim.error).detail
                  : undefined
            }
          />
        </div>
        <Button type="submit" busy={claim.isFetching} className="mt-[22px] h-9!">
          Look up
        </Button>
      </form>
      {isAddress && claim.data && <Claim claim={claim.data} payer={payer} />}
      {isPublished && isAddress && claim.data && (
        <p className="wrap-anywhere hint">
          Anyone can read it at{" "}
          <TextLink href={claimPath(address, allocationId)}>{claimPath(address, allocationId)}</TextLink>
        </p>
      )}
    </Section>
  );
}

/** What a contract that reads OpenZeppelin's tree asks for. Uniswap and Sablier have others. */
const PROOF = ["address", "amount", "root", "proof"];

function Claim({ claim, payer }: { claim: ClaimOut; payer: Payer | null }) {
  const hasProof = ["openzeppelin", null].includes(payer && PAYERS[payer].root);
  return (
    <div role="status" className="flex flex-col gap-2">
      <p className="text-table">
        <Amount value={claim.tokens} wraps className="font-medium" /> {unitName(payer)}
        {hasProof && ", in base units in the proof for OpenZeppelin’s tree"}.
      </p>
      {hasProof && <CodeBlock code={JSON.stringify(claim, PROOF, 2)} what="proof" wraps />}
    </div>
  );
}
