import { type LucideIcon, Replace, Undo2 } from "lucide-react";
import type { ReactNode } from "react";
import type { ConsoleBatchDetail } from "@/server/batches/list/console-schema";
import type { BatchStatus } from "@/server/kernel/values/batch-terms";
import { Amount } from "../../../ui/amount";
import { keyOf } from "../paths";
import { TYPE_LABELS } from "../status";
import { ReversalStatus } from "../status-badge";
import { BatchIdLink } from "./batch-id-link";
import { Differences } from "./differences";

const SHOWN_MAX = 20;

interface NoteProps {
  batch: ConsoleBatchDetail;
}

/** The batches that this one takes back or replaces, and those that do so to it. */
export function RelatedBatches({ batch }: NoteProps) {
  return (
    <>
      <ReversalNote batch={batch} />
      <CorrectionNote batch={batch} />
    </>
  );
}

/** The cancelled batch that this one replaces, and the batches that replace this one. */
function CorrectionNote({ batch }: NoteProps) {
  const { contractAddress, corrects, correctedBy } = batch;
  if (corrects === null && correctedBy.length === 0) return null;
  return (
    <Note name="Correction">
      {corrects !== null && (
        <Line icon={Replace}>
          Corrects <BatchIdLink contractAddress={contractAddress} id={corrects} />{" "}
          <Differences batchKey={keyOf(batch)} withId={corrects} />
        </Line>
      )}
      {correctedBy.length > 0 && (
        <Line icon={Replace}>
          Corrected by <Ids contractAddress={contractAddress} ids={correctedBy} />
        </Line>
      )}
    </Note>
  );
}

/** The batch that this one takes back, and the reversals of this one, each with its own status. */
function ReversalNote({ batch }: NoteProps) {
  const { contractAddress, pointType, reverses, reversals, status, now } = batch;
  if (!reverses && reversals.length === 0) return null;
  const hidden = reversals.length - SHOWN_MAX;
  return (
    <Note name="Reversal">
      {reverses && (
        <Line icon={Undo2}>
          Reversal of <BatchIdLink contractAddress={contractAddress} id={reverses} />. {EFFECTS[status]}
        </Line>
      )}
      {reversals.slice(0, SHOWN_MAX).map((reversal) => (
        <Line key={reversal.id} icon={Undo2}>
          <Amount value={reversal.points} /> {TYPE_LABELS[pointType]}:{" "}
          <ReversalStatus reversal={reversal} asOf={now}>
            <BatchIdLink contractAddress={contractAddress} id={reversal.id} />
          </ReversalStatus>
        </Line>
      ))}
      {hidden > 0 && <Line icon={Undo2}>and {hidden} more</Line>}
    </Note>
  );
}

/** What happens to the points of a reversal. */
const EFFECTS = {
  PENDING: "When it is finalized, its points go from the recipients back to the contract.",
  FINALIZING: "Its points are going from the recipients back to the contract.",
  FINALIZED: "Its points went from the recipients back to the contract.",
  CANCELLED: "It was cancelled, so its points stayed with the recipients.",
} as const satisfies Record<BatchStatus, string>;

const Note = ({ name, children }: { name: string; children: ReactNode }) => (
  <section
    aria-label={name}
    className="flex flex-col gap-1.5 rounded-control border border-line bg-surface px-3 py-2 text-table"
  >
    {children}
  </section>
);

const Line = ({ icon: Icon, children }: { icon: LucideIcon; children: ReactNode }) => (
  <div className="flex items-start gap-x-3">
    <Icon aria-hidden size={14} className="mt-[3px] shrink-0 text-muted" />
    <div className="min-w-0 flex-1">{children}</div>
  </div>
);

const Ids = ({ contractAddress, ids }: { contractAddress: string; ids: readonly string[] }) =>
  ids.map((id, at) => (
    <span key={id}>
      {at > 0 && ", "}
      <BatchIdLink contractAddress={contractAddress} id={id} />
    </span>
  ));
