import { Replace } from "lucide-react";
import Link from "next/link";
import { batchPath } from "../paths";

interface CorrectionBannerProps {
  contractAddress: string | undefined;
  corrects: string | undefined;
}

/** Names the cancelled batch that is being corrected. */
export function CorrectionBanner({ contractAddress, corrects }: CorrectionBannerProps) {
  if (corrects === undefined || contractAddress === undefined) return null;
  return (
    <p className="mb-4 flex items-start gap-2 rounded-control border border-line bg-surface px-3 py-2 text-table">
      <Replace aria-hidden size={14} className="mt-[3px] shrink-0 text-muted" />
      <span className="wrap-anywhere min-w-0">
        Correction of the cancelled batch{" "}
        <Link
          href={batchPath({ contractAddress, id: corrects })}
          className="font-mono text-accent text-mono underline-offset-2 hover:underline"
        >
          {corrects}
        </Link>
        . It is submitted as a new batch, and the two are linked.
      </span>
    </p>
  );
}
