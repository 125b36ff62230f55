"use client";
import { useQuery } from "@tanstack/react-query";
import { Plus } from "lucide-react";
import { useStaff } from "@/app/(console)/staff";
import { useTRPC } from "@/app/data/trpc";
import { Badge } from "@/app/ui/badge";
import { Button } from "@/app/ui/button";
import { type DataColumn, DataTable } from "@/app/ui/data-table";
import { Section } from "@/app/ui/section";
import { Loaded } from "@/app/ui/states";
import { Instant, When } from "@/app/ui/time";
import type { ListedToken } from "@/server/auth/tokens";
import type { ContractDialog } from "./approvals";

export const TOKENS_ID = "tokens";

interface TokensProps {
  contractAddress: string;
  openDialog: (dialog: ContractDialog) => void;
}

export function Tokens({ contractAddress, openDialog }: TokensProps) {
  const isAdmin = useStaff().role === "admin";
  const tokens = useQuery(useTRPC().console.contracts.tokens.queryOptions({ contractAddress }));
  return (
    <Section
      id={TOKENS_ID}
      title="Access tokens"
      note={`For the contract’s backend to call the API${isAdmin ? "" : ". Only admins can create and revoke them"}`}
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
            columns={isAdmin ? [...COLUMNS, revokeColumn(openDialog)] : COLUMNS}
            rows={rows}
            keyOf={({ id }) => id}
            empty={`No access tokens yet. ${isAdmin ? "Create one" : "Ask an admin to create one"} so that the contract can submit batches.`}
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

const COLUMNS: readonly DataColumn<ListedToken>[] = [
  {
    name: "Name",
    render: ({ name, end }) => (
      <span className="flex flex-col">
        <span className="wrap-anywhere font-medium">{name}</span>
        <TokenEnd end={end} />
      </span>
    ),
  },
  {
    name: "Status",
    render: ({ state, lastUsedAt }) => {
      const { tone, label } = STATES[state === "active" && lastUsedAt === null ? "unused" : state];
      return <Badge tone={tone}>{label}</Badge>;
    },
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
        <span className="break-all">{createdBy}</span>
        <Instant at={createdAt} className="whitespace-nowrap text-label text-muted tabular-nums" />
      </span>
    ),
  },
];

const revokeColumn = (openDialog: TokensProps["openDialog"]): DataColumn<ListedToken> => ({
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

/** The last characters of a token, to match it with one in a config file. Old tokens have none stored. */
export function TokenEnd({ end }: { end: string | null }) {
  if (!end) return null;
  return (
    <span className="font-mono text-label text-muted">
      <span className="sr-only">ends in </span>
      <span aria-hidden>ptb_…</span>
      {end}
    </span>
  );
}
