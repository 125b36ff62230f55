"use client";
import type { ReactNode } from "react";
import type { ConsoleBatchDetail } from "@/server/batches/console-schema";
import { formatDuration } from "../../../ui/duration";
import { HashText } from "../../../ui/hash-text";
import { Instant } from "../../../ui/instant";
import { useTimeZone } from "../../../ui/time-zone";
import { contractPath } from "../../contracts/paths";
import { Section } from "./section";

export function BatchSummary({ batch }: { batch: ConsoleBatchDetail }) {
  const { zone } = useTimeZone();
  return (
    <Section title="Summary" note={`Times in ${zone}`}>
      <dl className="grid gap-x-8 rounded-card border border-line bg-surface px-4 py-1 @4xl:grid-cols-2">
        <Fact name="Contract">
          <span className="flex min-w-0 flex-col items-end">
            <span>{batch.contractLabel}</span>
            <HashText
              value={batch.contractAddress}
              what="contract address"
              href={contractPath(batch.contractAddress)}
              form="narrow"
              className="text-muted"
            />
          </span>
        </Fact>
        <Fact name="Point type">
          <span className="font-mono text-mono">{batch.pointType}</span>
        </Fact>
        <Fact name="Created">
          <Instant at={batch.createdAt} className="tabular-nums" />
        </Fact>
        <Fact name="Due">
          <Instant at={batch.finalizeAt} className="tabular-nums" />
        </Fact>
        <Fact name="Wait">{formatDuration(batch.waitSeconds)}</Fact>
        <Fact name="Submitted by">
          <span className="break-all">{batch.submittedBy}</span>
        </Fact>
        <Fact name="Digest" wide>
          <HashText value={batch.digest} what="digest" form="whole" />
        </Fact>
      </dl>
    </Section>
  );
}

function Fact({ name, wide, children }: { name: string; wide?: boolean; children: ReactNode }) {
  return (
    <div
      className={`flex min-h-9 items-center justify-between gap-6 border-line border-b py-1.5 text-table last:border-b-0 ${wide ? "@4xl:col-span-2" : ""}`}
    >
      <dt className="shrink-0 text-muted">{name}</dt>
      <dd className="min-w-0 text-right">{children}</dd>
    </div>
  );
}
