"use client";
import { useQuery } from "@tanstack/react-query";
import { type SubmitEvent, useState } from "react";
import { ADDRESS_RULE, AddressInput } from "@/app/(console)/contracts/contract-fields";
import { claimPath } from "@/app/(console)/paths";
import { HolderName } from "@/app/(console)/recipients/holder-name";
import { shareText } from "@/app/(console)/snapshots/share";
import { problemOf } from "@/app/data/problem";
import { useTRPC } from "@/app/data/trpc";
import { Button, TextLink } from "@/app/ui/button";
import { CodeBlock } from "@/app/ui/code-block";
import { amountColumn, DataTable } from "@/app/ui/data-table";
import { textOf } from "@/app/ui/fields";
import { Section } from "@/app/ui/section";
import { Loaded } from "@/app/ui/states";
import type { AllocationOut, ClaimOut } from "@/server/allocations/schema";
import { addressError } from "@/terms/address-text";
import { readsProof, unitName } from "@/terms/claims/payers";
import { formatUnits } from "@/terms/units";
import { amountText } from "./allocation-text";

export function ClaimLookup({ allocation }: { allocation: AllocationOut }) {
  const [address, setAddress] = useState<string | null>(null);
  const isAddress = address !== null && addressError(address) === null;
  const { allocations } = useTRPC().console;
  const key = { allocationId: allocation.id };
  const largest = useQuery(allocations.largest.queryOptions(key));
  const claim = useQuery(
    allocations.claim.queryOptions({ ...key, address: address ?? "" }, { enabled: isAddress }),
  );
  const amountOf = ({ amount }: { amount: string }) => formatUnits(BigInt(amount), allocation.decimals);
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
      {isAddress && claim.data && <Claim claim={claim.data} of={allocation} />}
      <Loaded query={largest}>
        {(claims) => (
          <DataTable
            label="Largest recipients"
            rows={claims}
            keyOf={({ address }) => address}
            empty="None of the 100 largest holders gets anything."
            columns={[
              { name: "Largest recipients", render: (each) => <HolderName {...each} form="fit" /> },
              amountColumn(`Gets (${unitName(allocation.payer)})`, claims, amountOf),
              { name: "Share", right: true, render: ({ amount }) => shareText(amount, allocation.sum!) },
            ]}
          />
        )}
      </Loaded>
    </Section>
  );
}

/** What a contract that reads OpenZeppelin's tree asks for. Uniswap and Sablier have others. */
const PROOF = ["address", "amount", "root", "proof"];

const Claim = ({ claim, of: { payer, publishedAt } }: { claim: ClaimOut; of: AllocationOut }) => (
  <div role="status" className="flex flex-col gap-2">
    <p className="wrap-anywhere text-table">
      It gets {amountText(claim.amount, { ...claim, payer })}.{" "}
      {publishedAt && <TextLink href={claimPath(claim.address, claim.allocationId)}>Public claim</TextLink>}
      {readsProof(payer) && " Its proof for OpenZeppelin’s tree has the amount in base units:"}
    </p>
    {readsProof(payer) && <CodeBlock code={JSON.stringify(claim, PROOF, 2)} what="proof" wraps />}
  </div>
);
