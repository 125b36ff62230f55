import { Undo2 } from "lucide-react";
import Link from "next/link";
import type { ConsoleBatchDetail } from "@/server/batches/list/console-schema";
import { batchPath } from "../paths";

const LINK = "break-all font-mono text-accent text-mono underline-offset-2 hover:underline";
const SHOWN_MAX = 20;

/** The batch that this one takes back, and the reversals that take this one back. */
export function ReversalNote({ batch }: { batch: ConsoleBatchDetail }) {
  const { contractAddress, reverses, reversedBy } = batch;
  const linked = reverses ? [reverses] : reversedBy.slice(0, SHOWN_MAX);
  return (
    <section
      aria-label="Reversal"
      className="rounded-control border border-line bg-surface px-3 py-2 text-table"
    >
      <p className="flex items-start gap-x-3">
        <Undo2 aria-hidden size={14} className="mt-[3px] shrink-0 text-muted" />
        <span className="min-w-0">
          {reverses ? "Reversal of " : "Taken back by "}
          {linked.map((id, at) => (
            <span key={id}>
              {at > 0 && ", "}
              <Link href={batchPath({ contractAddress, id })} className={LINK}>
                {id}
              </Link>
            </span>
          ))}
          {!reverses && reversedBy.length > SHOWN_MAX && ` and ${reversedBy.length - SHOWN_MAX} more`}
          {reverses && ". Its points go from the recipients back to the contract."}
        </span>
      </p>
    </section>
  );
}
