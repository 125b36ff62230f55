"use client";
import { Layers, SearchX } from "lucide-react";
import { Button } from "../../ui/button";
import { CodeBlock } from "../../ui/code-block";
import { EmptyState } from "../../ui/empty-state";
import { useStaff } from "../staff";

/** Nothing to list: because of filters that can be cleared, or because there is nothing yet. */
export function NoBatches({ onClear }: { onClear: (() => void) | undefined }) {
  return onClear ? <NoMatch onClear={onClear} /> : <NothingYet />;
}

function NoMatch({ onClear }: { onClear: () => void }) {
  return (
    <EmptyState icon={SearchX} title="No batch matches these filters">
      <p className="text-muted">Take one away above, or all of them.</p>
      <Button onClick={onClear}>Clear filters</Button>
    </EmptyState>
  );
}

function NothingYet() {
  const { publicUrl } = useStaff();
  return (
    <EmptyState icon={Layers} title="No batches yet">
      <p className="text-muted">
        A batch is a list of point transfers that a contract submits. It waits, can be cancelled while it
        waits, and then every recipient is credited once. The first one appears here as soon as it is sent:
      </p>
      <CodeBlock code={firstBatch(publicUrl)} what="command" />
      <p className="text-label text-muted">
        A contract and its token are made with{" "}
        <code className="font-mono">npm run -s ops -- contract create</code> and{" "}
        <code className="font-mono">token create</code>.
      </p>
    </EmptyState>
  );
}

const firstBatch = (publicUrl: string) => `curl -X POST ${publicUrl}/v1/contracts/$CONTRACT/batches \\
  -H "Authorization: Bearer $TOKEN" \\
  -H "Content-Type: application/json" \\
  -d '{"pointType":"PHASE2_POINTS","transfers":[{"toAddress":"0x…","points":"10.5"}]}'`;
