"use client";
import { useQuery } from "@tanstack/react-query";
import { clsx } from "clsx";
import { Pencil } from "lucide-react";
import { usePathname } from "next/navigation";
import { type ReactNode, useState } from "react";
import { type ContractTab, contractTabPath, statementsPath, viewPath } from "@/app/(console)/paths";
import { useStaff } from "@/app/(console)/staff";
import { useTRPC } from "@/app/data/trpc";
import { Button, ButtonLink, Link } from "@/app/ui/button";
import { HashText } from "@/app/ui/hash-text";
import { later } from "@/app/ui/later";
import { Loaded, PageSkeleton, StaleBanner } from "@/app/ui/states";
import { ContractContext, type ContractDialog, useContract } from "./use-contract";

const ContractDialogs = later(() => import("./contract-dialogs"));

const REFETCH_MS = 10_000;

const TABS = [
  ["overview", "Overview"],
  ["tokens", "Tokens"],
  ["webhooks", "Webhooks"],
  ["requests", "Requests"],
  ["approvals", "Approvals"],
] as const satisfies [ContractTab, string][];

interface ContractFrameProps {
  contractAddress: string;
  /** What the chosen tab shows. */
  children: ReactNode;
}

export function ContractFrame({ contractAddress, children }: ContractFrameProps) {
  const query = useQuery(
    useTRPC().console.contracts.get.queryOptions({ contractAddress }, { refetchInterval: REFETCH_MS }),
  );
  const [dialog, openDialog] = useState<ContractDialog>();
  return (
    <Loaded query={query} skeleton={<PageSkeleton />}>
      {(contract) => (
        <ContractContext value={{ contract, key: { contractAddress }, openDialog }}>
          <div className="@container mx-auto flex w-full max-w-[1200px] flex-col gap-6 p-4 md:p-6">
            {query.isRefetchError && <StaleBanner />}
            <ContractHead />
            <Tabs contractAddress={contractAddress} />
            {children}
          </div>
          {dialog && (
            <ContractDialogs dialog={dialog} contract={contract} close={() => openDialog(undefined)} />
          )}
        </ContractContext>
      )}
    </Loaded>
  );
}

function ContractHead() {
  const { contract, openDialog } = useContract();
  const { role } = useStaff();
  return (
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
        <ButtonLink href={viewPath(`contract=${contract.address}`)}>View batches</ButtonLink>
        <ButtonLink href={statementsPath(contract.address)}>Statements</ButtonLink>
      </div>
    </div>
  );
}

/** Links rather than buttons, so that each tab has an address, and reads only what it shows. */
function Tabs({ contractAddress }: { contractAddress: string }) {
  const pathname = usePathname();
  return (
    <nav
      aria-label="Contract"
      className="flex flex-wrap gap-x-1 border-line border-b text-table print:hidden"
    >
      {TABS.map(([tab, name]) => {
        const path = contractTabPath(contractAddress, tab);
        const here = pathname === path;
        return (
          <Link
            key={tab}
            href={path}
            aria-current={here ? "page" : undefined}
            className={clsx(
              "flex h-9 shrink-0 items-center border-b-2 px-2.5 font-medium -outline-offset-2",
              here ? "border-accent text-text" : "border-transparent text-muted hover:text-text",
            )}
          >
            {name}
          </Link>
        );
      })}
    </nav>
  );
}
