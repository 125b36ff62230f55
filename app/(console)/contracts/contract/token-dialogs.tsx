"use client";
import { useMutation } from "@tanstack/react-query";
import { useRef } from "react";
import { CodeBlock } from "@/app/ui/code-block";
import { ChangeDialog, SecretDialog } from "@/app/ui/dialogs";
import { Choices, TextField, textOf } from "@/app/ui/fields";
import { Fact, FactList } from "@/app/ui/section";
import { Instant } from "@/app/ui/time";
import type { ListedToken, TokenScope } from "@/server/auth/tokens";
import { useTRPC } from "../../../data/trpc";
import { useChange } from "../../../data/use-change";
import { useStaff } from "../../staff";
import { type ContractDialogProps, useContractChange } from "./approvals";
import { TOKENS_ID, TokenEnd } from "./tokens";

const SCOPES = [
  {
    value: "batches:read",
    label: "Read",
    hint: "List and retrieve batches, and read balances (batches:read).",
  },
  { value: "batches:write", label: "Write", hint: "Submit and cancel batches (batches:write)." },
  {
    value: "batches:reverse",
    label: "Take back",
    hint: "Take back finalized batches (batches:reverse). Only for programs that need it.",
  },
] as const satisfies readonly { value: TokenScope; label: string; hint: string }[];

const EXPIRIES = [
  { value: "30", label: "30 days" },
  { value: "90", label: "90 days" },
  { value: "365", label: "1 year" },
  { value: "never", label: "No expiration" },
] as const;

export function CreateTokenDialog({ contract, close }: ContractDialogProps) {
  const { contracts } = useTRPC().console;
  const refresh = useChange([contracts.tokens.queryFilter()])();
  // The token exists only in the dialog that shows it.
  const create = useMutation(contracts.createToken.mutationOptions({ ...refresh, gcTime: 0 }));
  const { publicUrl } = useStaff();
  if (create.data) {
    const { token } = create.data;
    const { name, scopes } = create.variables;
    return (
      <SecretDialog
        title={`Token ${name} created`}
        description="Copy the token now. You will not be able to see it again: the service stores only its hash."
        secret={token}
        what="token"
        close={close}
      >
        <div className="flex flex-col gap-1.5">
          <h3 className="font-medium text-label">Try it</h3>
          <CodeBlock code={tryIt(publicUrl, contract.address, token, scopes)} what="command" wraps />
        </div>
      </SecretDialog>
    );
  }
  const send = (form: FormData) => {
    const expires = textOf(form, "expires");
    create.mutate({
      contractAddress: contract.address,
      name: textOf(form, "name"),
      scopes: form.getAll("scopes") as TokenScope[],
      expiresInDays: expires === "never" ? null : Number(expires),
    });
  };
  return (
    <ChangeDialog
      change={create}
      close={close}
      title="Create an access token"
      description={`The token gives access to ${contract.label} only. It is shown once, after you create it.`}
      submit="Create token"
      onSubmit={send}
    >
      <TextField
        label="Name"
        hint="Where the token is used. Shown next to the batches it submits or cancels."
        name="name"
        autoComplete="off"
        autoFocus
      />
      <Choices
        legend="Scopes"
        name="scopes"
        kind="checkbox"
        options={SCOPES}
        chosen={["batches:read", "batches:write"]}
      />
      <Choices legend="Expiration" name="expires" kind="radio" inline options={EXPIRIES} chosen={["90"]} />
    </ChangeDialog>
  );
}

/** A harmless command that the token's scopes allow. */
function tryIt(publicUrl: string, contract: string, token: string, scopes: readonly TokenScope[]): string {
  const base = `${publicUrl}/v1/contracts/${contract}`;
  const authorization = `  -H 'Authorization: Bearer ${token}'`;
  if (scopes.includes("batches:read")) return `curl '${base}/point-balances' \\\n${authorization}`;
  const row = { toAddress: "0x000000000000000000000000000000000000dEaD", points: "1" };
  return [
    `curl '${base}/batches?dryRun=true' \\`,
    `${authorization} \\`,
    "  -H 'Content-Type: application/json' \\",
    `  -d '${JSON.stringify({ pointType: "PHASE2_POINTS", transfers: [row] })}'`,
  ].join("\n");
}

/** Shows enough to distinguish the token from others with the same name. */
export function RevokeDialog({ contract, close, token }: ContractDialogProps & { token: ListedToken }) {
  const revoked = useRef(false);
  const changed = useContractChange(() => {
    revoked.current = true;
    close();
  });
  const revoke = useMutation(
    useTRPC().console.contracts.revokeToken.mutationOptions(changed(`Token ${token.name} revoked`)),
  );
  return (
    <ChangeDialog
      change={revoke}
      close={close}
      title="Revoke this token?"
      description="Requests with this token are rejected from now on. This cannot be undone, but you can create a new token."
      submit="Revoke token"
      danger
      // The button that opened the dialog disappears with the token.
      finalFocus={() => (revoked.current ? tokensHeading() : null)}
      onSubmit={() => revoke.mutate({ contractAddress: contract.address, tokenId: token.id })}
    >
      <FactList>
        <Fact name="Token">
          <span className="flex flex-col items-end">
            <span className="wrap-anywhere font-medium">{token.name}</span>
            <TokenEnd end={token.end} />
          </span>
        </Fact>
        <Fact name="Scopes">
          <span className="font-mono text-label">{token.scopes.join(" ")}</span>
        </Fact>
        <Fact name="Created by">
          <span className="flex flex-col items-end">
            <span className="break-all">{token.createdBy}</span>
            <Instant at={token.createdAt} className="text-label text-muted tabular-nums" />
          </span>
        </Fact>
        <Fact name="Last used">
          {token.lastUsedAt ? <Instant at={token.lastUsedAt} className="tabular-nums" /> : "Never"}
        </Fact>
      </FactList>
    </ChangeDialog>
  );
}

const tokensHeading = () => document.getElementById(TOKENS_ID)?.querySelector("h2") ?? null;
