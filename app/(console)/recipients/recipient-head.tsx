"use client";
import { FileText, Tag } from "lucide-react";
import dynamic from "next/dynamic";
import Link from "next/link";
import { useState } from "react";
import type { ConsoleRecipient, ReceivedTransfer } from "@/server/recipients/console-schema";
import { walletPath } from "../../r/paths";
import { Button } from "../../ui/button";
import { ButtonLink } from "../../ui/button-link";
import { HashText } from "../../ui/hash-text";
import { Instant } from "../../ui/instant";
import { contractPath, recipientPath } from "../contracts/paths";
import { useRecent } from "../search/recent-items";
import { useStaff } from "../staff";

const LabelDialog = dynamic(() => import("./label-dialog").then((module) => module.LabelDialog), {
  ssr: false,
});

interface RecipientHeadProps {
  recipient: ConsoleRecipient;
  /** The newest transfer; undefined while it is not known. */
  latest: ReceivedTransfer | undefined;
}

export function RecipientHead({ recipient, latest }: RecipientHeadProps) {
  const { address, label, contractLabel, firstAt, latestAt } = recipient;
  const { role, walletPages } = useStaff();
  const mayLabel = role !== "viewer" && contractLabel === null;
  const [labelling, setLabelling] = useState(false);
  const name = contractLabel ?? label;
  useRecent({ kind: "recipient", href: recipientPath(address), title: address, detail: name ?? "" });
  return (
    <div className="flex flex-wrap items-start gap-x-4 gap-y-3">
      <div className="min-w-0">
        <p className="text-label text-muted">Recipient</p>
        <h1>
          {name !== null && <span className="wrap-anywhere block font-semibold text-title">{name}</span>}
          <HashText value={address} what="address" form="whole" className="font-medium text-body!" />
        </h1>
        {firstAt && latestAt && (
          <p className="mt-1 text-label text-muted">
            First batch <Instant at={firstAt} className="tabular-nums" />, latest batch{" "}
            <Instant at={latestAt} className="tabular-nums" />
            {latestStatus(latest)}
          </p>
        )}
        {walletPages && (
          <p className="mt-1 text-label">
            <Link
              href={walletPath(address)}
              prefetch={false}
              className="text-muted underline hover:text-text"
            >
              Public page
            </Link>
          </p>
        )}
      </div>
      {contractLabel !== null && (
        <ButtonLink href={contractPath(address)} icon={FileText} className="ml-auto">
          Contract {contractLabel}
        </ButtonLink>
      )}
      {mayLabel && (
        <Button icon={Tag} className="ml-auto" onClick={() => setLabelling(true)}>
          {label === null ? "Add label…" : "Edit label…"}
        </Button>
      )}
      {labelling && <LabelDialog address={address} label={label} close={() => setLabelling(false)} />}
    </div>
  );
}

/** Empty for a finalized batch, which is the normal case. */
function latestStatus(latest: ReceivedTransfer | undefined): string {
  if (!latest || latest.status === "FINALIZED") return "";
  if (latest.status === "CANCELLED") return " (cancelled)";
  if (latest.status === "FINALIZING") return " (finalizing)";
  if (latest.awaitsApproval) return " (awaits approval)";
  return latest.heldAt ? " (on hold)" : " (pending)";
}
