"use client";
import type { LucideIcon } from "lucide-react";
import type { ReactNode } from "react";
import type { BatchFacets } from "@/server/batches/list/console-schema";
import { type BatchStatus, POINT_TYPES, type PointType } from "@/server/kernel/values/batch-terms";
import { formatCount } from "../../../ui/amount";
import { classNames } from "../../../ui/class-names";
import { isMark, MARKS, type Mark, type ShownStatus } from "../list-params";
import { countOf } from "../selection/matching-count";
import { STATUS_LOOKS, TYPE_LABELS } from "../status";
import { UNUSUAL_ICON, UNUSUAL_LABELS } from "../unusual-mark";
import { useListParams } from "../use-list-params";

export const STATES: readonly BatchStatus[] = ["PENDING", "FINALIZING", "FINALIZED", "CANCELLED"];

const MARK_TITLES: Record<Mark, string> = {
  OVERDUE: "Pending or finalizing, and past the due time. Also counted under their own status.",
  HELD: "Put on hold by staff. Also counted as pending.",
  AWAITING_APPROVAL: "A second person must approve it. Also counted as pending.",
};

export function StatusStrip({ facets }: { facets: BatchFacets | undefined }) {
  const { params, setParams } = useListParams();
  const shown = (count: number | undefined) => {
    if (!facets || count === undefined) return "";
    const isLeast = !facets.isWhole || count > facets.countMax;
    return `${formatCount(Math.min(count, facets.countMax))}${isLeast ? "+" : ""}`;
  };
  const statusSwitch = (status: ShownStatus) => (
    <StatusSwitch
      key={status}
      status={status}
      chosen={params.status ?? []}
      onChange={(next) => void setParams({ status: next, unblocked: null })}
      count={shown(facets && countOf(facets, status))}
    />
  );
  return (
    <div className="relative flex gap-1 overflow-x-auto px-4 py-0.5 md:flex-wrap md:px-6">
      <Group name="Status">{STATES.map(statusSwitch)}</Group>
      <Divider />
      <Group name="Overdue, on hold or awaiting approval">{MARKS.map(statusSwitch)}</Group>
      <Group name="Review">
        <Switch
          on={params.review === "unusual"}
          onClick={() => void setParams({ review: params.review ? null : "unusual" })}
          icon={UNUSUAL_ICON}
          iconColor="text-overdue"
          label={UNUSUAL_LABELS.unusual}
          title="The review found something unusual, such as a far larger total than usual."
          count={shown(facets?.unusual)}
        />
      </Group>
      <Divider />
      <TypeSwitches
        chosen={params.type}
        onChange={(type) => void setParams({ type })}
        countOf={(type) => shown(facets?.pointTypes[type])}
      />
    </div>
  );
}

interface StatusSwitchProps {
  status: ShownStatus;
  chosen: readonly ShownStatus[];
  /** Null when no status is chosen any more. */
  onChange: (chosen: ShownStatus[] | null) => void;
  count?: string;
}

export function StatusSwitch({ status, chosen, onChange, count }: StatusSwitchProps) {
  const { icon, color, label } = STATUS_LOOKS[status];
  return (
    <Switch
      on={chosen.includes(status)}
      onClick={() => onChange(toggled(chosen, status))}
      icon={icon}
      iconColor={color}
      label={label}
      title={isMark(status) ? MARK_TITLES[status] : undefined}
      count={count}
    />
  );
}

function toggled(chosen: readonly ShownStatus[], status: ShownStatus): ShownStatus[] | null {
  if (chosen.includes(status)) {
    const rest = chosen.filter((other) => other !== status);
    return rest.length ? rest : null;
  }
  // Filters are ANDed, and overdue and held batches have a status too: keeping both would leave few rows or none.
  const others = isMark(status) ? [] : chosen.filter((other) => !isMark(other));
  return [...others, status];
}

interface TypeSwitchesProps {
  chosen: PointType | null;
  onChange: (chosen: PointType | null) => void;
  countOf?: (type: PointType) => string;
}

export function TypeSwitches({ chosen, onChange, countOf }: TypeSwitchesProps) {
  return (
    <Group name="Type">
      {POINT_TYPES.map((type) => (
        <Switch
          key={type}
          on={chosen === type}
          onClick={() => onChange(chosen === type ? null : type)}
          label={TYPE_LABELS[type]}
          count={countOf?.(type)}
        />
      ))}
    </Group>
  );
}

export function Group({ name, children }: { name: string; children: ReactNode }) {
  return (
    <fieldset className="flex shrink-0 gap-1">
      <legend className="sr-only">{name}</legend>
      {children}
    </fieldset>
  );
}

export const Divider = () => <span aria-hidden className="mx-1 w-px shrink-0 self-stretch bg-line" />;

interface SwitchProps {
  on: boolean;
  onClick: () => void;
  icon?: LucideIcon;
  iconColor?: string;
  label: string;
  title?: string | undefined;
  /** Empty while it is loaded. */
  count?: string | undefined;
}

function Switch({ on, onClick, icon: Icon, iconColor, label, title, count }: SwitchProps) {
  return (
    <button
      type="button"
      aria-pressed={on}
      title={title}
      onClick={onClick}
      className={classNames(
        "flex h-7 shrink-0 items-center gap-1.5 rounded-control border px-1.5 font-medium text-label text-text outline-offset-0 transition-colors duration-100",
        on ? "border-accent bg-selected" : "border-line bg-surface hover:bg-hover",
      )}
    >
      {Icon && <Icon aria-hidden size={13} className={iconColor} />}
      {label}
      {count !== undefined && <span className="min-w-3 text-muted tabular-nums">{count}</span>}
    </button>
  );
}
