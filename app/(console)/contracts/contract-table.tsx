"use client";
import { ArrowUp } from "lucide-react";
import Link from "next/link";
import type { ConsoleContract } from "@/server/contracts/console-schema";
import { POINT_TYPES, type PointType } from "@/server/kernel/values/batch-terms";
import type { AccountBalances } from "@/server/ledger/accounts";
import { Amount, fractionDigits } from "../../ui/amount";
import { type DataColumn, DataTable, ROW_LINK } from "../../ui/data-table";
import { findLookalikes, HashText } from "../../ui/hash-text";
import { AmountHeading } from "../batches/batch/section";
import { TYPE_LABELS } from "../batches/status";
import { ISSUANCE_LABELS } from "./issuance";
import { contractPath } from "./paths";

type Sort = "label" | "address";

interface ContractTableProps {
  contracts: ConsoleContract[];
  sort: Sort;
  onSort: (sort: Sort) => void;
}

export function ContractTable({ contracts, sort, onSort }: ContractTableProps) {
  const lookalikes = findLookalikes(contracts.map(({ address }) => address));
  const sortable = (by: Sort, name: string) => ({
    name,
    heading: <SortButton name={name} active={sort === by} onClick={() => onSort(by)} />,
    ...(sort === by && { sorted: "ascending" as const }),
  });
  const columns: DataColumn<ConsoleContract>[] = [
    {
      ...sortable("label", "Contract"),
      render: ({ address, label }) => (
        <Link
          href={contractPath(address)}
          prefetch={false}
          title={label}
          className={`block max-w-64 truncate rounded-badge font-medium outline-offset-1 hover:text-accent ${ROW_LINK}`}
        >
          {label}
        </Link>
      ),
    },
    {
      ...sortable("address", "Address"),
      render: ({ address }) => (
        <HashText
          value={address}
          what="contract address"
          href={contractPath(address)}
          lookalike={lookalikes.has(address)}
          className="relative z-10 text-muted"
        />
      ),
    },
    {
      name: "Issuance",
      render: ({ issuance }) => <span className="whitespace-nowrap">{ISSUANCE_LABELS[issuance]}</span>,
    },
    ...POINT_TYPES.flatMap((type) => [
      balanceColumn(contracts, type, "available", "available"),
      balanceColumn(contracts, type, "pendingSent", "pending"),
    ]),
  ];
  return (
    <DataTable
      label="Contracts"
      columns={columns}
      rows={contracts}
      keyOf={({ address }) => address}
      linked
      className="rounded-card border border-line bg-surface"
    />
  );
}

function balanceColumn(
  contracts: ConsoleContract[],
  type: PointType,
  balance: keyof AccountBalances,
  label: string,
): DataColumn<ConsoleContract> {
  const fraction = fractionDigits(contracts.map(({ balances }) => balances[type][balance]));
  const name = `${TYPE_LABELS[type]} ${label}`;
  return {
    name,
    heading: <AmountHeading name={name} fraction={fraction} />,
    right: true,
    render: ({ balances }) => {
      const value = balances[type][balance];
      return (
        <Amount value={value} fraction={fraction} className={value === "0" ? "text-muted" : undefined} />
      );
    },
  };
}

function SortButton({ name, active, onClick }: { name: string; active: boolean; onClick: () => void }) {
  return (
    <button
      type="button"
      onClick={onClick}
      className="inline-flex items-center gap-1 rounded-badge hover:text-text"
    >
      {name}
      {active && <ArrowUp aria-hidden size={12} />}
    </button>
  );
}
