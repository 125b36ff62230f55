import {
  Ban,
  CircleCheck,
  CirclePause,
  Clock,
  LoaderCircle,
  type LucideIcon,
  TriangleAlert,
  UserCheck,
} from "lucide-react";
import { counted } from "@/app/ui/amount";
import type { Tone } from "@/app/ui/badge";
import { shortenHash } from "@/app/ui/hash-text";
import type { ConsoleBatch } from "@/server/batches/list/console-schema";
import { OVERDUE_AFTER_SECONDS } from "@/terms/batch-terms";
import type { Mark, ShownStatus } from "./list-params";

export { ISSUANCE_LABELS, TYPE_LABELS } from "@/terms/batch-terms";

export const STATUS_LOOKS = {
  PENDING: { label: "Pending", tone: "pending", color: "text-pending", icon: Clock },
  FINALIZING: { label: "Finalizing", tone: "finalizing", color: "text-finalizing", icon: LoaderCircle },
  FINALIZED: { label: "Finalized", tone: "finalized", color: "text-finalized", icon: CircleCheck },
  CANCELLED: { label: "Cancelled", tone: "cancelled", color: "text-cancelled", icon: Ban },
  OVERDUE: { label: "Overdue", tone: "overdue", color: "text-overdue", icon: TriangleAlert },
  HELD: { label: "On hold", tone: "held", color: "text-held", icon: CirclePause },
  AWAITING_APPROVAL: { label: "Awaiting approval", tone: "held", color: "text-held", icon: UserCheck },
} as const satisfies Record<ShownStatus, { label: string; tone: Tone; color: string; icon: LucideIcon }>;

export type DueBatch = Pick<ConsoleBatch, "status" | "finalizeAt" | "heldAt" | "awaitsApproval">;

/** Later than a working finalizer would leave it. */
export const isOverdue = (batch: Pick<DueBatch, "finalizeAt">, nowMs: number) =>
  nowMs > Date.parse(batch.finalizeAt) + OVERDUE_AFTER_SECONDS * 1000;

/** What is shown next to the status. A batch that someone stopped is not overdue. */
export function markOf(batch: DueBatch, nowMs: number): Mark | null {
  if (batch.heldAt) return "HELD";
  if (batch.awaitsApproval) return "AWAITING_APPROVAL";
  return isOpen(batch) && isOverdue(batch, nowMs) ? "OVERDUE" : null;
}

export const isOpen = (batch: DueBatch) => batch.status === "PENDING" || batch.status === "FINALIZING";

export const IN_DOUBT = "In doubt when submitted: ";
export const batchesOf = (count: number) => counted(count, "batch", "batches");

export const transfersOf = (count: number) => counted(count, "transfer", "transfers");

export const recipientsOf = (count: number) => counted(count, "recipient", "recipients");

/** A team member by email; any other caller in words. */
export function personName(caller: string): string {
  const [, kind, name = ""] = /^(token|operator|staff):(.*)$/s.exec(caller) ?? [];
  if (kind === "operator") return `operator ${shortenHash(name)}`;
  if (kind === "token") return `token “${name}”`;
  if (kind === "staff") return name;
  return caller === "ops" ? "Command line" : caller;
}

/** As the filter shows who submitted a batch. @param own the user's email */
export const submitterName = (submitter: string, own: string) =>
  submitter === `staff:${own}` ? `${own} (you)` : personName(submitter);
