import {
  Ban,
  CircleCheck,
  CirclePause,
  Clock,
  LoaderCircle,
  type LucideIcon,
  TriangleAlert,
} from "lucide-react";
import { type BatchStatus, OVERDUE_AFTER_SECONDS } from "@/server/batches/state";
import type { PointType } from "@/server/ledger/point-types";
import type { Tone } from "../../ui/badge";
import type { KindOfOpen, ShownStatus } from "./list-params";

export const STATUS_LOOKS = {
  PENDING: { word: "Pending", tone: "pending", icon: Clock },
  FINALIZING: { word: "Finalizing", tone: "finalizing", icon: LoaderCircle },
  FINALIZED: { word: "Finalized", tone: "finalized", icon: CircleCheck },
  OVERDUE: { word: "Overdue", tone: "overdue", icon: TriangleAlert },
  HELD: { word: "On hold", tone: "held", icon: CirclePause },
  CANCELLED: { word: "Cancelled", tone: "cancelled", icon: Ban },
} as const satisfies Record<ShownStatus, { word: string; tone: Tone; icon: LucideIcon }>;

export const TYPE_WORDS = { PHASE2_POINTS: "Points", PHASE2_GOLD: "Gold" } as const satisfies Record<
  PointType,
  string
>;

interface DueBatch {
  status: BatchStatus;
  finalizeAt: string;
  heldAt: string | null;
}

/** Whether a batch that has not been finalized is later than a finalizer at work leaves it. */
export const isLate = (batch: Pick<DueBatch, "finalizeAt">, nowMs: number) =>
  nowMs > Date.parse(batch.finalizeAt) + OVERDUE_AFTER_SECONDS * 1000;

/** What is said of a batch: its state, and beside it whether staff hold it or it is late. */
export function shownStatus(batch: DueBatch, nowMs: number): { state: BatchStatus; mark: KindOfOpen | null } {
  if (batch.heldAt) return { state: batch.status, mark: "HELD" };
  return { state: batch.status, mark: isOpen(batch) && isLate(batch, nowMs) ? "OVERDUE" : null };
}

/** Whether a batch may still change by itself or by a person. */
export const isOpen = (batch: DueBatch) => batch.status === "PENDING" || batch.status === "FINALIZING";
