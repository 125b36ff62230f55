import { Replace } from "lucide-react";
import Link from "next/link";
import type { ConsoleBatchDetail } from "@/server/batches/list/console-schema";
import { batchPath, comparePath } from "../paths";

const LINK = "break-all font-mono text-accent text-mono underline-offset-2 hover:underline";

/** The cancelled batch that this one replaces, and the batches that replace this one. */
export function CorrectionNote({ batch }: { batch: ConsoleBatchDetail }) {
  const { contractAddress, id, corrects, correctedBy } = batch;
  if (corrects === null && correctedBy.length === 0) return null;
  return (
    <section
      aria-label="Correction"
      className="flex flex-col gap-1.5 rounded-control border border-line bg-surface px-3 py-2 text-table"
    >
      {corrects !== null && (
        <p className="flex items-start gap-x-3">
          <Replace aria-hidden size={14} className="mt-[3px] shrink-0 text-muted" />
          <span className="min-w-0">
            Corrects{" "}
            <Link href={batchPath({ contractAddress, id: corrects })} className={LINK}>
              {corrects}
            </Link>{" "}
            <Link
              href={comparePath({ contractAddress, id }, corrects)}
              prefetch={false}
              className="ml-2 whitespace-nowrap rounded-badge text-accent text-label underline-offset-2 hover:underline"
            >
              View differences
            </Link>
          </span>
        </p>
      )}
      {correctedBy.length > 0 && (
        <p className="flex items-start gap-x-3">
          <Replace aria-hidden size={14} className="mt-[3px] shrink-0 text-muted" />
          <span className="min-w-0">
            Corrected by{" "}
            {correctedBy.map((later, at) => (
              <span key={later}>
                {at > 0 && ", "}
                <Link href={batchPath({ contractAddress, id: later })} className={LINK}>
                  {later}
                </Link>
              </span>
            ))}
          </span>
        </p>
      )}
    </section>
  );
}
