import { FileText } from "lucide-react";
import { payoutPath } from "@/app/(console)/paths";
import { formatCount } from "@/app/ui/amount";
import { TextLink } from "@/app/ui/button";
import type { PayoutOfBatch } from "@/server/batches/list/console-schema";
import type { PayoutAmounts } from "@/server/payouts/schema";
import { parseSum } from "@/terms/points";

/** The batch's place in its payout, whose page holds, releases and cancels all of it. */
export function PayoutNote({ contractAddress, payout }: { contractAddress: string; payout: PayoutOfBatch }) {
  const { id, name, part, partCount } = payout;
  return (
    <section aria-label="Payout" className="note border border-line bg-surface">
      <FileText size={14} className="shrink-0 text-muted" />
      <span className="wraps">
        {part === null || partCount === null || partCount === 1
          ? "Batch of the payout "
          : `Batch ${formatCount(part)} of ${formatCount(partCount)} of the payout `}
        <TextLink href={payoutPath({ contractAddress, id })}>{name}</TextLink>
      </span>
    </section>
  );
}

/** What of a batch or a payout is taken back. */
export type TakenBack = Pick<PayoutAmounts, "finalized" | "takenBack" | "takingBack">;

export const isTakingBack = ({ takingBack }: TakenBack) => takingBack !== "0";
export const isLeft = ({ finalized, takenBack, takingBack }: TakenBack) =>
  parseSum(finalized) > parseSum(takenBack) + parseSum(takingBack);
