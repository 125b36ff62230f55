"use client";
import type { LucideIcon } from "lucide-react";
import type { ReactNode } from "react";
import type { BatchFacets } from "@/server/batches/list/console-schema";
import type { BatchStatus } from "@/server/kernel/values/batch-state";
import { POINT_TYPES } from "@/server/kernel/values/point-types";
import { formatAmount } from "../../../ui/amount";
import { classNames } from "../../../ui/class-names";
import { isKindOfOpen, KINDS_OF_OPEN, type KindOfOpen, type ShownStatus } from "../list-params";
import { STATUS_LOOKS, TYPE_LABELS } from "../status";
import { UNUSUAL_ICON, UNUSUAL_LABELS } from "../unusual-mark";
import { useListParams } from "../use-list-params";

export const STATES: readonly BatchStatus[] = ["PENDING", "FINALIZING", "FINALIZED", "CANCELLED"];

export const ICON_COLORS: Record<ShownStatus, string> = {
  PENDING: "text-pending",
  OVERDUE: "text-overdue",
  HELD: "text-held",
  AWAITING_APPROVAL: "text-held",
  FINALIZING: "text-finalizing",
  FINALIZED: "text-finalized",
  CANCELLED: "text-cancelled",
};

export const KIND_TITLES: Record<KindOfOpen, string> = {
  OVERDUE: "Pending or finalizing, and past the due time. Also counted under their own status.",
  HELD: "Put on hold by staff. Also counted as pending.",
  AWAITING_APPROVAL: "A second person must approve it. Also counted as pending.",
};

export function StatusStrip({ facets }: { facets: BatchFacets | undefined }) {
  const { params, setParams } = useListParams();
  const chosen = params.status ?? [];

  const statusSwitch = (status: ShownStatus) => (
    <Switch
      key={status}
      on={chosen.includes(status)}
      onClick={() => void setParams({ status: toggled(chosen, status), unblocked: null })}
      icon={STATUS_LOOKS[status].icon}
      iconColor={ICON_COLORS[status]}
      label={STATUS_LOOKS[status].label}
      title={isKindOfOpen(status) ? KIND_TITLES[status] : undefined}
      count={facets && countOf(facets, status)}
      countMax={facets?.countMax}
      isLeast={facets?.isWhole === false}
    />
  );

  return (
    <div className="flex gap-1.5 overflow-x-auto px-4 py-0.5 md:px-6">
      <Group name="Status">{STATES.map(statusSwitch)}</Group>
      <Divider />
      <Group name="Overdue, on hold or awaiting approval">{KINDS_OF_OPEN.map(statusSwitch)}</Group>
      <Group name="Review">
        <Switch
          on={params.review === "unusual"}
          onClick={() => void setParams({ review: params.review ? null : "unusual" })}
          icon={UNUSUAL_ICON}
          iconColor="text-overdue"
          label={UNUSUAL_LABELS.unusual}
          title="The review found something unusual, such as a far larger total than usual."
          count={facets?.unusual}
          countMax={facets?.countMax}
          isLeast={facets?.isWhole === false}
        />
      </Group>
      <Divider />
      <Group name="Type">
        {POINT_TYPES.map((type) => (
          <Switch
            key={type}
            on={params.type === type}
            onClick={() => void setParams({ type: params.type === type ? null : type })}
            label={TYPE_LABELS[type]}
            count={facets?.pointTypes[type]}
            countMax={facets?.countMax}
            isLeast={facets?.isWhole === false}
          />
        ))}
      </Group>
    </div>
  );
}

/** The chosen statuses after a click; null without one. */
export function toggled(chosen: readonly ShownStatus[], status: ShownStatus): ShownStatus[] | null {
  if (chosen.includes(status)) {
    const rest = chosen.filter((other) => other !== status);
    return rest.length ? rest : null;
  }
  // Filters are ANDed, and overdue and held batches have a status too: keeping both would leave few rows or none.
  const others = isKindOfOpen(status) ? [] : chosen.filter((other) => !isKindOfOpen(other));
  return [...others, status];
}

export function Group({ name, children }: { name: string; children: ReactNode }) {
  return (
    <fieldset className="flex shrink-0 gap-1.5">
      <legend className="sr-only">{name}</legend>
      {children}
    </fieldset>
  );
}

export const Divider = () => <span aria-hidden className="mx-1 w-px shrink-0 self-stretch bg-line" />;

function countOf(facets: BatchFacets, status: ShownStatus): number {
  if (status === "AWAITING_APPROVAL") return facets.awaitingApproval;
  if (status === "OVERDUE") return facets.overdue;
  return status === "HELD" ? facets.held : facets.statuses[status];
}

interface SwitchProps {
  on: boolean;
  onClick: () => void;
  icon?: LucideIcon;
  iconColor?: string;
  label: string;
  title?: string | undefined;
  /** Undefined while it is loaded, and null for a switch without a count. */
  count: number | undefined | null;
  countMax?: number | undefined;
  /** Whether there may be more than `count`. */
  isLeast?: boolean;
}

export function Switch({
  on,
  onClick,
  icon: Icon,
  iconColor,
  label,
  title,
  count,
  countMax = 0,
  isLeast,
}: SwitchProps) {
  return (
    <button
      type="button"
      aria-pressed={on}
      title={title}
      onClick={onClick}
      className={classNames(
        "flex h-7 shrink-0 items-center gap-1.5 rounded-control border px-2 font-medium text-label outline-offset-0 transition-colors duration-100",
        on ? "border-accent bg-selected text-text" : "border-line bg-surface text-text hover:bg-hover",
      )}
    >
      {Icon && <Icon aria-hidden size={13} className={iconColor} />}
      {label}
      {count !== null && (
        <span className="min-w-3 text-muted tabular-nums">
          {count !== undefined && formatAmount(String(Math.min(count, countMax)))}
          {count !== undefined && (isLeast || count > countMax) && "+"}
        </span>
      )}
    </button>
  );
}
