"use client";
import dynamic from "next/dynamic";
import { useState } from "react";
import { Countdown, StatusBadge, TAKEN_BACK, UnusualMark } from "@/app/(console)/batches/status-badge";
import { useRecent } from "@/app/(console)/search/recent";
import { Amount } from "@/app/ui/amount";
import { Button, ButtonLink } from "@/app/ui/button";
import { CopyButton } from "@/app/ui/copy-button";
import type { ConsoleBatchDetail } from "@/server/batches/list/console-schema";
import { useStaff } from "../../staff";
import { batchPath, correctPath } from "../paths";
import { isOpen, TYPE_LABELS, transfersOf } from "../status";
import type { Decision } from "./decision-dialog";

const StopNote = dynamic(() => import("./notes").then((module) => module.StopNote));
const ApprovalNote = dynamic(() => import("./notes").then((module) => module.ApprovalNote));
const DecisionDialog = dynamic(() => import("./decision-dialog").then((module) => module.DecisionDialog), {
  ssr: false,
});
const TakeBackDialog = dynamic(() => import("./take-back-dialog").then((module) => module.TakeBackDialog), {
  ssr: false,
});

interface BatchHeadProps {
  batch: ConsoleBatchDetail;
  headingLevel: "h1" | "h2";
}

export function BatchHead({ batch, headingLevel: Heading }: BatchHeadProps) {
  const { role } = useStaff();
  const [asked, ask] = useState<Decision | "take-back" | null>(null);
  const close = () => ask(null);
  const isViewer = role === "viewer";
  const mayDecide = batch.status === "PENDING" && !isViewer;
  const holdOrRelease = batch.heldAt ? "release" : "hold";
  useRecent({ kind: "batch", href: batchPath(batch), title: batch.id, detail: batch.contractLabel });
  return (
    <div className="flex flex-col gap-3">
      <div className="flex flex-wrap items-center gap-x-3 gap-y-2">
        <StatusBadge batch={batch} asOf={batch.now} />
        <UnusualMark review={batch.review} />
        {isOpen(batch) && !batch.heldAt && !batch.awaitsApproval && (
          <span className="text-muted text-table">
            <Countdown batch={batch} asOf={batch.now} lead="due " />
          </span>
        )}
        <span className="ml-auto flex flex-wrap justify-end gap-2">
          {mayDecide && (
            <>
              <Button onClick={() => ask(holdOrRelease)}>{batch.heldAt ? "Release…" : "Put on hold…"}</Button>
              <Button onClick={() => ask("cancel")}>Cancel batch…</Button>
            </>
          )}
          {batch.status === "FINALIZED" && !batch.reverses && !isViewer && (
            <Button onClick={() => ask("take-back")}>Take back…</Button>
          )}
          {batch.status === "CANCELLED" && !batch.reverses && !isViewer && (
            <ButtonLink href={correctPath(batch)}>Correct and resend</ButtonLink>
          )}
        </span>
      </div>
      <div>
        <Heading className="flex items-center gap-1 break-all font-medium font-mono text-mono text-muted">
          <span className="sr-only">Batch </span>
          {batch.id}
          <CopyButton value={batch.id} what="batch ID" />
        </Heading>
        <p className="flex flex-wrap items-baseline gap-x-2 font-semibold text-figure">
          <Amount
            value={batch.points}
            minus={Boolean(batch.reverses)}
            className="break-all whitespace-normal!"
          />
          <span className="font-normal text-body text-muted">
            {TYPE_LABELS[batch.pointType]} in {transfersOf(batch.transferCount)} from {batch.contractLabel}
            {batch.reverses && `, ${TAKEN_BACK[batch.status].toLowerCase()}`}
          </span>
        </p>
      </div>
      {(batch.hold || batch.status === "CANCELLED") && <StopNote batch={batch} />}
      {batch.approval && <ApprovalNote batch={batch} isViewer={isViewer} ask={ask} />}
      {asked === "take-back" ? (
        <TakeBackDialog batch={batch} close={close} />
      ) : (
        asked && <DecisionDialog key={asked} decision={asked} batch={batch} close={close} />
      )}
    </div>
  );
}
