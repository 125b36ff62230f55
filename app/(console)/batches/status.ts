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
import type { ConsoleBatch } from "@/server/batches/list/console-schema";
import { type BatchStatus, OVERDUE_AFTER_SECONDS } from "@/server/kernel/values/batch-state";
import type { PointType } from "@/server/kernel/values/point-types";
import type { Tone } from "../../ui/badge";
import type { KindOfOpen, ShownStatus } from "./list-params";

export const STATUS_LOOKS = {
  PENDING: { label: "Pending", tone: "pending", icon: Clock },
  FINALIZING: { label: "Finalizing", tone: "finalizing", icon: LoaderCircle },
  FINALIZED: { label: "Finalized", tone: "finalized", icon: CircleCheck },
  OVERDUE: { label: "Overdue", tone: "overdue", icon: TriangleAlert },
  HELD: { label: "On hold", tone: "held", icon: CirclePause },
  AWAITING_APPROVAL: { label: "Awaiting approval", tone: "held", icon: UserCheck },
  CANCELLED: { label: "Cancelled", tone: "cancelled", icon: Ban },
} as const satisfies Record<ShownStatus, { label: string; tone: Tone; icon: LucideIcon }>;

export const TYPE_LABELS = { PHASE2_POINTS: "Points", PHASE2_GOLD: "Gold" } as const satisfies Record<
  PointType,
  string
>;

type DueBatch = Pick<ConsoleBatch, "status" | "finalizeAt" | "heldAt" | "awaitsApproval">;

/** Later than a working finalizer would leave it. */
export const isOverdue = (batch: Pick<DueBatch, "finalizeAt">, nowMs: number) =>
  nowMs > Date.parse(batch.finalizeAt) + OVERDUE_AFTER_SECONDS * 1000;

export function shownStatus(batch: DueBatch, nowMs: number): { state: BatchStatus; mark: KindOfOpen | null } {
  if (batch.heldAt) return { state: batch.status, mark: "HELD" };
  if (batch.awaitsApproval) return { state: batch.status, mark: "AWAITING_APPROVAL" };
  return { state: batch.status, mark: isOpen(batch) && isOverdue(batch, nowMs) ? "OVERDUE" : null };
}

/** Whether the batch can still change. */
export const isOpen = (batch: DueBatch) => batch.status === "PENDING" || batch.status === "FINALIZING";
