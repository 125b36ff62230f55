import { TYPE_LABELS } from "@/app/(console)/batches/status";
import { formatAmount } from "@/app/ui/amount";
import { formatInstant } from "@/app/ui/format-time";
import type { Holding, ReceivedPoints } from "@/server/recipients/schema";
import { POINT_TYPES, type PointType } from "@/terms/batch-terms";

interface HeldWallet {
  address: string;
  isContract: boolean;
  points: Record<PointType, Holding>;
  /** When it was read, or the instant in the past. */
  at: string;
}

export interface DescribedWallet extends HeldWallet {
  points: Record<PointType, ReceivedPoints>;
  /** False when not all of what is pending was read. */
  isWhole: boolean;
}

/** What a wallet has and what is about to change it, for its owner and for staff alike. */
export function describeWallet(wallet: DescribedWallet, zone: string): string {
  const pending = POINT_TYPES.flatMap((type) => describePending(type, wallet.points[type], zone));
  const least = wallet.isWhole ? [] : ["Too many batches are pending to read them all. There may be more."];
  const more = pending.length > 0 ? pending : ["No more transfers are expected."];
  return [describeHeld("has", wallet, zone), ...more, ...least, ...contractNote(wallet)].join(" ");
}

/** What it had at an instant in the past. */
export const describeHolding = (wallet: HeldWallet, zone: string): string =>
  [describeHeld("had", wallet, zone), ...contractNote(wallet)].join(" ");

const contractNote = ({ isContract }: HeldWallet) =>
  isContract
    ? ["This wallet is also a contract. Points that were issued to it or that it sent are not counted."]
    : [];

function describeHeld(verb: "has" | "had", { address, points, at }: HeldWallet, zone: string): string {
  const held = POINT_TYPES.map((type) => amountOf(type, points[type].balance) + originOf(points[type]));
  return `At ${formatInstant(at, zone)} (${zone}), the wallet ${address} ${verb} ${held.join(" and ")}.`;
}

const originOf = ({ received, takenBack }: Holding) =>
  takenBack === "0" ? "" : ` (${formatAmount(received)} received − ${formatAmount(takenBack)} taken back)`;

function describePending(type: PointType, points: ReceivedPoints, zone: string): string[] {
  const { expected, firstDueAt, lastDueAt, overdue, overdueSince, delayed, takingBack } = points;
  const time = (at: string | null) => at && formatInstant(at, zone);
  const [first, last] = [time(firstDueAt), time(lastDueAt)];
  const due = first === last ? `at ${first}` : `between ${first} and ${last}`;
  const said: [amount: string, words: string][] = [
    [expected, `expected, due ${due}`],
    [overdue, `late, due since ${time(overdueSince)}`],
    [delayed, "delayed by a check, and may be cancelled"],
    [takingBack, "about to be taken back"],
  ];
  return said
    .filter(([amount]) => amount !== "0")
    .map(([amount, words]) => `${amountOf(type, amount)} ${amount === "1" ? "is" : "are"} ${words}.`);
}

/** `1 Point`, `21 Points`, `no Gold`. */
function amountOf(type: PointType, amount: string): string {
  const label = TYPE_LABELS[type];
  if (amount === "0") return `no ${label}`;
  return `${formatAmount(amount)} ${amount === "1" ? label.replace(/s$/, "") : label}`;
}
