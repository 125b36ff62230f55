"use client";
import type { ConsoleBatchDetail } from "@/server/batches/list/console-schema";
import { Fact, FactList } from "../../../ui/fact-list";
import { HashText } from "../../../ui/hash-text";
import { Instant } from "../../../ui/instant";
import { useTimeZone } from "../../../ui/time-zone";
import { contractPath } from "../../contracts/paths";
import { Section } from "./section";

export function BatchSummary({ batch }: { batch: ConsoleBatchDetail }) {
  const { zone } = useTimeZone();
  return (
    <Section title="Summary" note={`Times in ${zone}`}>
      <FactList className="@4xl:grid-cols-2">
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
        <Fact name="Created">
          <Instant at={batch.createdAt} className="tabular-nums" />
        </Fact>
        <Fact name="Due">
          <Instant at={batch.finalizeAt} className="tabular-nums" />
        </Fact>
        <Fact name="Submitted by">
          <span className="break-all">{batch.submittedBy}</span>
        </Fact>
        <Fact name="Digest" className="@4xl:col-span-2">
          <HashText value={batch.digest} what="digest" form="narrow" />
        </Fact>
      </FactList>
    </Section>
  );
}
