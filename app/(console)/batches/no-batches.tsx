"use client";
import { CircleCheck, Layers, SearchX } from "lucide-react";
import Link from "next/link";
import { Button } from "../../ui/button";
import { CodeBlock } from "../../ui/code-block";
import { EmptyState } from "../../ui/empty-state";
import { useStaff } from "../staff";
import { type FilterParams, filterParams } from "./list-params";
import { useListParams } from "./use-list-params";

/** Nothing to list: because of filters that can be cleared, or because there is nothing yet. */
export function NoBatches({ onClear }: { onClear: (() => void) | undefined }) {
  return onClear ? <NoMatch onClear={onClear} /> : <NothingYet />;
}

function NoMatch({ onClear }: { onClear: () => void }) {
  const { params } = useListParams();
  const chosen = Object.keys(filterParams).filter((name) => params[name as keyof FilterParams] !== null);
  if (chosen.join() === "status" && params.status?.join() === "OVERDUE")
    return <NothingOverdue onClear={onClear} />;
  return (
    <EmptyState icon={SearchX} title="No batch matches these filters">
      <p className="text-muted">Take one away above, or all of them.</p>
      <Button onClick={onClear}>Clear filters</Button>
    </EmptyState>
  );
}

/** The answer to whoever looks for late batches: not a search that went wrong. */
function NothingOverdue({ onClear }: { onClear: () => void }) {
  return (
    <EmptyState icon={CircleCheck} title="No batch is overdue">
      <p className="text-muted">
        Every batch that was due has been finalized, became due a moment ago, or is held by staff.
      </p>
      <Button onClick={onClear}>All batches</Button>
    </EmptyState>
  );
}

function NothingYet() {
  const { publicUrl, role } = useStaff();
  return (
    <EmptyState icon={Layers} title="No batches yet">
      <p className="text-muted">
        A batch is a list of point transfers in the name of a contract. It waits, can be cancelled while it
        waits, and then every recipient is credited once. A contract submits it with its token, both made
        under{" "}
        <Link href="/contracts" className="text-accent underline">
          Contracts
        </Link>
        {role === "viewer" ? (
          ":"
        ) : (
          <>
            ; or you do, from a CSV file, with{" "}
            <Link href="/batches/new" className="text-accent underline">
              New batch
            </Link>
            :
          </>
        )}
      </p>
      <CodeBlock code={firstBatch(publicUrl)} what="command" />
    </EmptyState>
  );
}

const firstBatch = (publicUrl: string) => `CONTRACT=0x… TOKEN=…
curl -X POST ${publicUrl}/v1/contracts/$CONTRACT/batches \\
  -H "Authorization: Bearer $TOKEN" \\
  -H "Content-Type: application/json" \\
  -d '{"pointType":"PHASE2_POINTS","transfers":[{"toAddress":"0x000000000000000000000000000000000000dEaD","points":"10.5"}]}'`;
