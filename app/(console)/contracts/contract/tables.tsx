"use client";
import { useInfiniteQuery, useQuery } from "@tanstack/react-query";
import { Plus } from "lucide-react";
import { BatchLink } from "@/app/(console)/batch-link";
import { personName, TYPE_LABELS } from "@/app/(console)/batches/status";
import { type ContractDialog, useContract } from "@/app/(console)/contracts/contract/use-contract";
import { useStaff } from "@/app/(console)/staff";
import { usePages, useTRPC } from "@/app/data/trpc";
import { Badge } from "@/app/ui/badge";
import { Button } from "@/app/ui/button";
import { amountColumn, type DataColumn, DataTable, PagedTable } from "@/app/ui/data-table";
import { Section } from "@/app/ui/section";
import { Loaded } from "@/app/ui/states";
import { Instant, When } from "@/app/ui/time";
import type { ListedToken } from "@/server/auth/tokens";
import type { ListedIssuance } from "@/server/ledger/issuances";

export function Issuances() {
  const { contract, key, openDialog } = useContract();
  const { role } = useStaff();
  const query = useInfiniteQuery(usePages(useTRPC().console.contracts.issuances, key));
  const issuances = query.data?.pages.flatMap((page) => page.issuances) ?? [];
  const isPrefunded = contract.issuance === "PREFUNDED";
  return (
    <Section
      title="Issuances and grants"
      actions={
        isPrefunded &&
        role === "admin" && (
          <Button size="small" icon={Plus} onClick={() => openDialog({ kind: "grant" })}>
            Grant points
          </Button>
        )
      }
    >
      <PagedTable
        label="Issuances and grants table"
        columns={columnsOfIssuances(contract.address, issuances)}
        rows={issuances}
        keyOf={({ id }) => id}
        query={query}
        one="entry"
        many="entries"
        empty={
          isPrefunded
            ? "No grants yet. Batches are rejected until an admin grants points."
            : "Nothing issued yet. Points are issued when a batch needs them."
        }
      />
    </Section>
  );
}

const columnsOfIssuances = (
  contractAddress: string,
  issuances: ListedIssuance[],
): DataColumn<ListedIssuance>[] => [
  { name: "Created", render: ({ createdAt }) => <When at={createdAt} /> },
  {
    name: "Source",
    render: ({ grantedBy, approvedBy, batchId }) =>
      grantedBy ? (
        <span className="break-all">
          Granted by {personName(grantedBy)}
          {approvedBy && `, approved by ${personName(approvedBy)}`}
        </span>
      ) : (
        <span className="flex min-w-0 gap-1.5">
          <span className="whitespace-nowrap">For batch</span>
          <BatchLink contractAddress={contractAddress} id={batchId!} className="min-w-0 max-w-72" />
        </span>
      ),
  },
  { name: "Type", render: ({ pointType }) => TYPE_LABELS[pointType] },
  amountColumn("Amount", issuances, ({ points }) => points),
];

export const TOKENS_ID = "tokens";

export function Tokens() {
  const { key, openDialog } = useContract();
  const isAdmin = useStaff().role === "admin";
  const tokens = useQuery(useTRPC().console.contracts.tokens.queryOptions(key));
  return (
    <Section
      id={TOKENS_ID}
      title="Access tokens"
      note={`For the contract’s backend to call the API${isAdmin ? "" : ". Only admins can change them"}`}
      actions={
        isAdmin && (
          <Button size="small" icon={Plus} onClick={() => openDialog({ kind: "create-token" })}>
            Create token
          </Button>
        )
      }
    >
      <Loaded query={tokens}>
        {(rows) => (
          <DataTable
            label="Access tokens table"
            columns={isAdmin ? [...TOKEN_COLUMNS, revokeColumn(openDialog)] : TOKEN_COLUMNS}
            rows={rows}
            keyOf={({ id }) => id}
            empty={
              `No access tokens yet. ${isAdmin ? "Create one" : "Ask an admin to create one"} ` +
              "so that the contract can submit batches."
            }
          />
        )}
      </Loaded>
    </Section>
  );
}

const STATES = {
  active: { label: "Active", tone: "finalized" },
  unused: { label: "Never used", tone: "pending" },
  expired: { label: "Expired", tone: "cancelled" },
  revoked: { label: "Revoked", tone: "cancelled" },
} as const;

const TOKEN_COLUMNS: readonly DataColumn<ListedToken>[] = [
  { name: "Name", render: (token) => <TokenName {...token} /> },
  {
    name: "Status",
    render: ({ state, lastUsedAt }) => (
      <Badge {...STATES[state === "active" && lastUsedAt === null ? "unused" : state]} />
    ),
  },
  {
    name: "Scopes",
    render: ({ scopes }) => <span className="font-mono text-label">{scopes.join(" ")}</span>,
  },
  {
    name: "Expires",
    render: ({ revokedAt, expiresAt }) =>
      revokedAt ? (
        <span className="text-muted">
          Revoked <When at={revokedAt} />
        </span>
      ) : (
        <When at={expiresAt} never="Never" />
      ),
  },
  { name: "Last used", render: ({ lastUsedAt }) => <When at={lastUsedAt} never="Never" /> },
  {
    name: "Created by",
    render: ({ createdBy, createdAt }) => (
      <span className="flex flex-col max-md:items-end">
        <span className="break-all">{personName(createdBy)}</span>
        <Instant at={createdAt} className="whitespace-nowrap hint" />
      </span>
    ),
  },
];

const revokeColumn = (openDialog: (dialog: ContractDialog) => void): DataColumn<ListedToken> => ({
  name: "Revoke",
  heading: <span className="sr-only">Revoke</span>,
  right: true,
  render: (token) =>
    token.state === "active" && (
      <Button
        size="small"
        aria-label={`Revoke ${token.name}${token.end ? `, ending in ${token.end}` : ""}`}
        onClick={() => openDialog({ kind: "revoke", token })}
      >
        Revoke…
      </Button>
    ),
});

/** With its last characters, to match it with one in a config file. Old tokens have none stored. */
export const TokenName = ({ name, end }: Pick<ListedToken, "name" | "end">) => (
  <span className="flex flex-col">
    <span className="wrap-anywhere font-medium">{name}</span>
    {end && (
      <span className="font-mono hint">
        <span className="sr-only">ends in </span>
        <span aria-hidden>ptb_…</span>
        {end}
      </span>
    )}
  </span>
);
