import { type LucideIcon, Replace, Undo2 } from "lucide-react";
import Link from "next/link";
import type { ReactNode } from "react";
import type { ConsoleBatchDetail } from "@/server/batches/list/console-schema";
import { comparePath } from "../paths";
import { BatchIdLink } from "./batch-id-link";

const SHOWN_MAX = 20;

interface NoteProps {
  batch: ConsoleBatchDetail;
}

/** The cancelled batch that this one replaces, and the batches that replace this one. */
export function CorrectionNote({ batch }: NoteProps) {
  const { contractAddress, corrects, correctedBy } = batch;
  if (corrects === null && correctedBy.length === 0) return null;
  return (
    <Note name="Correction">
      {corrects !== null && (
        <Line icon={Replace}>
          Corrects <BatchIdLink contractAddress={contractAddress} id={corrects} />{" "}
          <Link
            href={comparePath(batch, corrects)}
            prefetch={false}
            className="ml-2 whitespace-nowrap rounded-badge text-accent text-label underline-offset-2 hover:underline"
          >
            View differences
          </Link>
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

/** The batch that this one takes back, and the reversals that take this one back. */
export function ReversalNote({ batch }: NoteProps) {
  const { contractAddress, reverses, reversedBy } = batch;
  if (!reverses && reversedBy.length === 0) return null;
  return (
    <Note name="Reversal">
      <Line icon={Undo2}>
        {reverses ? (
          <>
            Reversal of <BatchIdLink contractAddress={contractAddress} id={reverses} />. Its points go from
            the recipients back to the contract.
          </>
        ) : (
          <>
            Taken back by <Ids contractAddress={contractAddress} ids={reversedBy.slice(0, SHOWN_MAX)} />
            {reversedBy.length > SHOWN_MAX && ` and ${reversedBy.length - SHOWN_MAX} more`}
          </>
        )}
      </Line>
    </Note>
  );
}

const Note = ({ name, children }: { name: string; children: ReactNode }) => (
  <section
    aria-label={name}
    className="flex flex-col gap-1.5 rounded-control border border-line bg-surface px-3 py-2 text-table"
  >
    {children}
  </section>
);

const Line = ({ icon: Icon, children }: { icon: LucideIcon; children: ReactNode }) => (
  <p className="flex items-start gap-x-3">
    <Icon aria-hidden size={14} className="mt-[3px] shrink-0 text-muted" />
    <span className="min-w-0">{children}</span>
  </p>
);

const Ids = ({ contractAddress, ids }: { contractAddress: string; ids: readonly string[] }) =>
  ids.map((id, at) => (
    <span key={id}>
      {at > 0 && ", "}
      <BatchIdLink contractAddress={contractAddress} id={id} />
    </span>
  ));
