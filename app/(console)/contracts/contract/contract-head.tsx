"use client";
import { Pencil } from "lucide-react";
import { useRouter } from "next/navigation";
import type { ReactNode } from "react";
import type { ConsoleContractDetail } from "@/server/contracts/console-schema";
import { Button } from "../../../ui/button";
import { ButtonLink } from "../../../ui/button-link";
import { buttonLook } from "../../../ui/button-look";
import { copyAndNotify } from "../../../ui/copy-text";
import { counted } from "../../../ui/counted";
import { HashText } from "../../../ui/hash-text";
import { Instant } from "../../../ui/instant";
import { usePageActions } from "../../search/page-actions";
import { useRecent } from "../../search/recent-items";
import { useStaff } from "../../staff";
import { ISSUANCE_LABELS } from "../issuance";
import { contractPath, newBatchPath, recipientPath, statementsPath, webhooksPath } from "../paths";
import type { ContractDialog } from "./contract-dialog";
import { TOKENS_ID } from "./tokens";

interface ContractHeadProps {
  contract: ConsoleContractDetail;
  openDialog: (dialog: ContractDialog) => void;
}

export function ContractHead({ contract, openDialog }: ContractHeadProps) {
  const { role } = useStaff();
  const router = useRouter();
  usePageActions({
    "copy-address": () => void copyAndNotify(contract.address, "address"),
    ...(role !== "viewer" && { "new-batch-here": () => router.push(newBatchPath(contract.address)) }),
    ...(role === "admin" && { "create-token": () => openDialog({ kind: "create-token" }) }),
    statements: () => router.push(statementsPath(contract.address)),
  });
  useRecent({
    kind: "contract",
    href: contractPath(contract.address),
    title: contract.label,
    detail: contract.address,
  });
  const change = (kind: "issuance" | "operator") =>
    role === "admin" && (
      <Button size="small" onClick={() => openDialog({ kind })} aria-label={`Change ${kind}`}>
        Change…
      </Button>
    );
  return (
    <div className="flex flex-col gap-4">
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
          <HashText value={contract.address} what="contract address" form="narrow" className="text-muted" />
        </div>
        <div className="ml-auto flex flex-wrap gap-2">
          <a href={`#${TOKENS_ID}`} className={buttonLook()}>
            Access tokens
          </a>
          <ButtonLink href={recipientPath(contract.address)}>View as recipient</ButtonLink>
          <ButtonLink href={statementsPath(contract.address)}>Statements</ButtonLink>
          <ButtonLink href={webhooksPath(contract.address)}>Webhooks</ButtonLink>
        </div>
      </div>
      <dl className="grid gap-x-8 rounded-card border border-line bg-surface px-4 py-1 @4xl:grid-cols-3">
        <Fact name="Issuance">
          {ISSUANCE_LABELS[contract.issuance]}
          {change("issuance")}
        </Fact>
        <Fact name="Operator">
          {contract.operatorAddress ? (
            <HashText value={contract.operatorAddress} what="operator address" />
          ) : (
            <span className="text-muted">None</span>
          )}
          {contract.operatorTokens > 0 && (
            <span className="text-label text-muted">
              {counted(contract.operatorTokens, "active token", "active tokens")}
            </span>
          )}
          {change("operator")}
        </Fact>
        <Fact name="Registered">
          <Instant at={contract.createdAt} className="tabular-nums" />
        </Fact>
      </dl>
    </div>
  );
}

function Fact({ name, children }: { name: string; children: ReactNode }) {
  return (
    <div className="flex min-h-10 flex-wrap items-center justify-between gap-x-3 border-line border-b py-1.5 text-table last:border-b-0 @4xl:justify-start @4xl:border-b-0">
      <dt className="shrink-0 text-muted">{name}</dt>
      <dd className="flex min-w-0 flex-wrap items-center justify-end gap-x-2">{children}</dd>
    </div>
  );
}
