"use client";
import { useMutation } from "@tanstack/react-query";
import { useRef } from "react";
import type { ListedToken } from "@/server/auth/list-tokens";
import { problemOf } from "../../../data/problem";
import { useTRPC } from "../../../data/trpc";
import { Fact, FactList } from "../../../ui/fact-list";
import { FormDialog } from "../../../ui/form-dialog";
import { Instant } from "../../../ui/instant";
import type { ContractDialogProps } from "./dialog-props";
import { TokenEnd } from "./token-end";
import { TOKENS_ID } from "./tokens";
import { useContractChange } from "./use-contract-change";

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
    <FormDialog
      open
      onOpenChange={close}
      title="Revoke this token?"
      description="Requests with this token are rejected from now on. This cannot be undone, but you can create a new token."
      problem={revoke.error && problemOf(revoke.error)}
      busy={revoke.isPending}
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
    </FormDialog>
  );
}

const tokensHeading = () => document.getElementById(TOKENS_ID)?.querySelector("h2") ?? null;
