"use client";
import { useQuery } from "@tanstack/react-query";
import { Plus } from "lucide-react";
import type { ListedToken } from "@/server/auth/list-tokens";
import { problemOf } from "../../../data/problem";
import { useTRPC } from "../../../data/trpc";
import { Badge } from "../../../ui/badge";
import { Button } from "../../../ui/button";
import { type DataColumn, DataTable } from "../../../ui/data-table";
import { ErrorState } from "../../../ui/error-state";
import { Instant } from "../../../ui/instant";
import { Skeleton } from "../../../ui/skeleton";
import { Section } from "../../batches/batch/section";
import { useStaff } from "../../staff";
import type { Question } from "./dialog-props";
import { TokenEnd } from "./token-end";

export const TOKENS_ID = "tokens";

interface TokensProps {
  contractAddress: string;
  ask: (question: Question) => void;
}

export function Tokens({ contractAddress, ask }: TokensProps) {
  const isAdmin = useStaff().role === "admin";
  const tokens = useQuery(useTRPC().console.contracts.tokens.queryOptions({ contractAddress }));
  return (
    <Section
      id={TOKENS_ID}
      title="Access tokens"
      note={`For the contract's backend to call the API${isAdmin ? "" : ". Only admins can create and revoke them"}`}
      actions={
        isAdmin && (
          <Button size="small" onClick={() => ask({ kind: "create-token" })}>
            <Plus aria-hidden size={13} />
            Create token
          </Button>
        )
      }
    >
      {tokens.isPending && <Skeleton className="h-24 w-full" />}
      {tokens.isError && !tokens.data && (
        <ErrorState {...problemOf(tokens.error)} onRetry={() => void tokens.refetch()} />
      )}
      {tokens.data?.length === 0 && (
        <p className="rounded-card border border-line bg-surface p-4 text-muted text-table">
          No access tokens yet. {isAdmin ? "Create one" : "Ask an admin to create one"} so that the contract
          can submit batches.
        </p>
      )}
      {tokens.data && tokens.data.length > 0 && (
        <DataTable
          label="Access tokens table"
          columns={isAdmin ? [...COLUMNS, revokeColumn(ask)] : COLUMNS}
          rows={tokens.data}
          keyOf={({ id }) => id}
          className="rounded-card border border-line bg-surface"
        />
      )}
    </Section>
  );
}

const STATES = {
  live: { label: "Active", tone: "finalized" },
  unused: { label: "Never used", tone: "pending" },
  expired: { label: "Expired", tone: "cancelled" },
  revoked: { label: "Revoked", tone: "cancelled" },
} as const;

const when = (at: string | null, never: string) =>
  at ? (
    <Instant at={at} className="whitespace-nowrap tabular-nums" />
  ) : (
    <span className="text-muted">{never}</span>
  );

const COLUMNS: readonly DataColumn<ListedToken>[] = [
  {
    id: "name",
    name: "Name",
    render: ({ name, end }) => (
      <span className="flex flex-col">
        <span className="wrap-anywhere font-medium">{name}</span>
        <TokenEnd end={end} />
      </span>
    ),
  },
  {
    id: "state",
    name: "Status",
    render: ({ state, lastUsedAt }) => {
      const { tone, label } = STATES[state === "live" && lastUsedAt === null ? "unused" : state];
      return <Badge tone={tone}>{label}</Badge>;
    },
  },
  {
    id: "scopes",
    name: "Scopes",
    render: ({ scopes }) => <span className="font-mono text-label">{scopes.join(" ")}</span>,
  },
  {
    id: "expires",
    name: "Expires",
    render: ({ revokedAt, expiresAt }) =>
      revokedAt ? (
        <span className="text-muted">Revoked {when(revokedAt, "")}</span>
      ) : (
        when(expiresAt, "Never")
      ),
  },
  { id: "used", name: "Last used", render: ({ lastUsedAt }) => when(lastUsedAt, "Never") },
  {
    id: "made",
    name: "Created by",
    render: ({ createdBy, createdAt }) => (
      <span className="flex flex-col max-md:items-end">
        <span className="break-all">{createdBy}</span>
        <Instant at={createdAt} className="whitespace-nowrap text-label text-muted tabular-nums" />
      </span>
    ),
  },
];

const revokeColumn = (ask: TokensProps["ask"]): DataColumn<ListedToken> => ({
  id: "revoke",
  name: "Revoke",
  heading: <span className="sr-only">Revoke</span>,
  right: true,
  render: (token) =>
    token.state === "live" && (
      <Button
        size="small"
        aria-label={`Revoke ${token.name}${token.end ? `, ending in ${token.end}` : ""}`}
        onClick={() => ask({ kind: "revoke", token })}
      >
        Revoke…
      </Button>
    ),
});
