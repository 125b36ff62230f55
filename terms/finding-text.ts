import { type BatchReview, isOdd, type Level, repeatWords, type StoredReview, type Usual } from "./findings";
import { formatAmount, formatCount } from "./output-text";

type Recipients = Omit<BatchReview["recipients"], "level">;

function recipientSummary({ total, new: fresh, percent }: Recipients): string {
  const all = formatCount(total);
  const whole = total === 1 ? "The recipient is" : `All ${all} recipients are`;
  if (fresh === 0) return `${whole} in earlier batches, paid or pending.`;
  if (fresh === total) return `${whole} new to this contract.`;
  return (
    `${formatCount(fresh)} of ${all} recipients (${percent < 1 ? "less than 1" : percent}%) ` +
    `${fresh === 1 ? "is" : "are"} new to this contract.`
  );
}

function amountSummary(what: string, amount: BatchReview["total"]): string {
  const { points, usual, times, level, isRecord, isOfPayout } = amount;
  const earlier = `earlier ${isOfPayout ? "payouts" : "batches"}`;
  const is = `${what} is ${formatAmount(points)}`;
  // Null only without earlier batches, of which nothing is odd.
  if (isOdd(level)) return `${is}, ${formatAmount(times!)} times the most that 95% of ${earlier} had.`;
  if (level === "expected") return `${is}, as usual.`;
  return usual ? `${is}, larger than ${isRecord ? "ever before" : "usual"}.` : `${is}.`;
}

interface Finding {
  level: Level;
  text: string;
  usual?: Usual | null;
}

/** All but what it repeats. */
export function findingsOf({ total, largestTransfer, recipients, share }: StoredReview): Finding[] {
  return [
    total && { ...total, text: amountSummary(`The ${total.isOfPayout ? "payout's " : ""}total`, total) },
    // Of a single transfer, the total says the same.
    largestTransfer &&
      !(recipients?.total === 1 && !total?.isOfPayout && total?.times === largestTransfer.times) && {
        ...largestTransfer,
        text: amountSummary("The largest transfer", largestTransfer),
      },
    recipients && { ...recipients, text: recipientSummary(recipients) },
    share && { ...share, text: `It uses ${share.percent}% of what was available when checked.` },
  ].filter((finding) => !!finding);
}

/** Whether it pays exactly what an earlier batch pays. One transfer to one wallet is often paid again. */
export const paysAgain = ({ repeats, recipients }: StoredReview): boolean =>
  recipients?.total !== 1 && Boolean(repeats?.batches.some((one) => !one.shared && !one.cancelledBy));

/** Of the batches that it repeats, the first one matters most. */
function repeatSummary({ repeats, recipients }: StoredReview): string {
  const first = repeats?.batches[0];
  if (!first) return "";
  const kind = first.isCorrected || first.status === "CANCELLED" ? "the cancelled batch " : "";
  const isTakenBack = first.cancelledBy && first.status !== "CANCELLED";
  const ending = first.isCorrected ? ", which it corrects" : isTakenBack ? ", all taken back" : "";
  return `${repeatWords(first, recipients?.total)}${kind}${first.id}${ending}.`;
}

export const whyUnusual = (review: StoredReview): string =>
  [{ level: review.repeats?.level ?? "expected", text: repeatSummary(review) }, ...findingsOf(review)]
    .filter(({ level }) => isOdd(level))
    .map(({ text }) => text)
    .join(" ");
