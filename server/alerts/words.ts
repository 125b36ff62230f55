import { addressFromBytes } from "@/server/kernel/address-bytes";
import { emailOf, nameOf, whoDecides } from "@/server/staff/second-person";
import type { PointType } from "@/terms/batch-terms";
import { whyUnusual } from "@/terms/finding-text";
import type { BatchReview } from "@/terms/findings";
import { counted, formatCount } from "@/terms/output-text";
import type { CardKind, Severity, Words } from "./kinds";

/** The minute of an RFC 3339 time, as people read it. */
export const minuteOf = (at: string) => at.slice(0, 16).replace("T", " ");

/** Batches that one decision is about: a payout's, those that take it back, or a single one. */
export interface Group {
  kind: Extract<CardKind, "batch" | "approval" | "payout" | "hold">;
  severity: Severity;
  contract: Buffer;
  /** Also of the payout that they take back. */
  payoutId: string | null;
  isReversal: boolean;
  /** Whether all of them are on hold. */
  isHeld: boolean;
  /** The most unusual one, or the one due first: what the card shows is of it. */
  seq: string;
  batchId: string;
  batchIds: string[];
  batchCount: number;
  /** Null if they are of several types. */
  points: string | null;
  transferCount: number;
  /** When the first one is due. */
  dueAt: string;
  startedAt: string;
  /** When the last one of them began to wait. */
  joinedAt: string;
}

/** What a card shows of the first batch of its group. */
export interface ShownBatch {
  label: string;
  pointType: PointType;
  /** Its own, not the payout's. */
  total: string;
  submittedBy: string;
  /** Who created the token that submitted it. */
  tokenCreatedBy: string | null;
  heldBy: string | null;
  holdReason: string | null;
  /** ID of the batch that it takes back. */
  reverses: string | null;
  review: BatchReview | null;
  /** Of a payout that is a file. */
  partCount: number | null;
  fileName: string | null;
}

export function subjectOf({ contract, payoutId, isReversal, batchId }: Group): string {
  const whole = `${isReversal ? "take-back" : "payout"}/${payoutId}`;
  return `${addressFromBytes(contract)}/${payoutId === null ? batchId : whole}`;
}

/** What a card about batches says. */
export function wordsOf(group: Group, shown: ShownBatch): Words {
  const { kind, payoutId, contract, batchId } = group;
  const folder = payoutId === null ? "batches" : "payouts";
  // A file's name may have control characters, which would begin lines of their own in a message.
  const name = shown.fileName?.replaceAll(/\p{Cc}+/gu, " ") ?? payoutId ?? shown.reverses ?? batchId;
  return {
    ...WORDS[kind](group, shown, `of ${shown.label}`, name),
    path: `/${folder}/${addressFromBytes(contract)}/${encodeURIComponent(payoutId ?? batchId)}`,
  };
}

type Writer = (group: Group, shown: ShownBatch, of: string, name: string) => Omit<Words, "path">;

const thing = ({ payoutId }: Group) => (payoutId === null ? "Batch" : "Payout");
const titleOf = (group: Group, of: string, name: string, state: string) =>
  group.isReversal ? `Take back of ${name} ${of} ${state}` : `${thing(group)} ${of} ${state}: ${name}`;
const dueWords = ({ dueAt }: Group) =>
  `It ${Date.parse(dueAt) <= Date.now() ? "was" : "is"} due at ${minuteOf(dueAt)} UTC`;

/** Of a message about unusual batches, which has neither the countdown nor the buttons of a card. */
export const stopWords = (group: Group) =>
  `${dueWords(group)}. Review it before then: operators can put it on hold or cancel it.`;

const WORDS: Record<Group["kind"], Writer> = {
  batch(group, { review, submittedBy }, of, name) {
    const level = review?.level === "alarming" ? "Very unusual" : "Unusual";
    const checked = submittedBy.startsWith("staff:") ? `, checked by ${emailOf(submittedBy)}` : "";
    const part = group.batchCount > 1 ? `Its batch ${group.batchId} is the most unusual one. ` : "";
    const title = `${level} ${thing(group).toLowerCase()} ${of}: ${name}${checked}`;
    return { title, remedy: part + (review ? whyUnusual(review) : "") };
  },
  approval: (group, { submittedBy, tokenCreatedBy, ...hold }, of, name) => ({
    title: titleOf(group, of, name, "awaits approval"),
    remedy:
      `Its recipients ${group.isReversal ? "keep the points" : "get nothing"} until it is approved. ` +
      `${group.isHeld ? `It is on hold by ${nameOf(hold.heldBy ?? "")}: “${hold.holdReason}”. ` : ""}` +
      whoDecides(submittedBy, tokenCreatedBy),
  }),
  payout: ({ batchCount: count }, { partCount }, of, name) => ({
    title: `Payout ${of} is not released: ${name}`,
    remedy:
      `${formatCount(count)} of its ${counted(partCount ?? count, "batch", "batches")} ` +
      `${count === 1 ? "is" : "are"} on hold and not paid. ` +
      (count < (partCount ?? 0)
        ? "The others are not submitted, were cancelled, or are released already: its page says which. " +
          "Submit and release what is left there, or cancel it."
        : "Release it on its page, or cancel it."),
  }),
  hold: (group, { heldBy, holdReason }, of, name) => ({
    title: titleOf(group, of, name, "is on hold"),
    remedy: `${nameOf(heldBy ?? "")} put it on hold: “${holdReason}”. ${dueWords(group)}.`,
  }),
};
