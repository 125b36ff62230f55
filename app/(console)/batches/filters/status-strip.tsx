"use client";
import type { LucideIcon } from "lucide-react";
import type { BatchFacets } from "@/server/batches/console-schema";
import { POINT_TYPES } from "@/server/ledger/point-types";
import { formatAmount } from "../../../ui/amount";
import { classNames } from "../../../ui/class-names";
import { isKindOfOpen, type ShownStatus } from "../list-params";
import { STATUS_LOOKS, TYPE_WORDS } from "../status";
import { useListParams } from "../use-list-params";

const ORDER: readonly ShownStatus[] = ["PENDING", "OVERDUE", "HELD", "FINALIZING", "FINALIZED", "CANCELLED"];

const ICON_COLORS: Record<ShownStatus, string> = {
  PENDING: "text-pending",
  OVERDUE: "text-overdue",
  HELD: "text-held",
  FINALIZING: "text-finalizing",
  FINALIZED: "text-finalized",
  CANCELLED: "text-cancelled",
};

/** Statuses and types with their counts; each is a switch. */
export function StatusStrip({ facets }: { facets: BatchFacets | undefined }) {
  const { params, setParams } = useListParams();
  const chosen = params.status ?? [];

  const toggleStatus = (status: ShownStatus) => {
    if (chosen.includes(status)) {
      const rest = chosen.filter((other) => other !== status);
      void setParams({ status: rest.length ? rest : null });
      return;
    }
    // Overdue and held batches have a status besides: with other ones chosen the filters, ANDed, would leave little or nothing.
    const others = isKindOfOpen(status) ? [] : chosen.filter((other) => !isKindOfOpen(other));
    void setParams({ status: [...others, status] });
  };

  return (
    <fieldset className="flex gap-1.5 overflow-x-auto px-4 py-0.5 md:px-6">
      <legend className="sr-only">Status and type</legend>
      {ORDER.map((status) => (
        <Switch
          key={status}
          on={chosen.includes(status)}
          onClick={() => toggleStatus(status)}
          icon={STATUS_LOOKS[status].icon}
          iconColor={ICON_COLORS[status]}
          word={STATUS_LOOKS[status].word}
          count={facets && countOf(facets, status)}
          countMax={facets?.countMax}
        />
      ))}
      <span aria-hidden className="mx-1 w-px shrink-0 self-stretch bg-line" />
      {POINT_TYPES.map((type) => (
        <Switch
          key={type}
          on={params.type === type}
          onClick={() => void setParams({ type: params.type === type ? null : type })}
          word={TYPE_WORDS[type]}
          count={facets?.pointTypes[type]}
          countMax={facets?.countMax}
        />
      ))}
    </fieldset>
  );
}

function countOf(facets: BatchFacets, status: ShownStatus): number {
  if (status === "OVERDUE") return facets.overdue;
  return status === "HELD" ? facets.held : facets.statuses[status];
}

interface SwitchProps {
  on: boolean;
  onClick: () => void;
  icon?: LucideIcon;
  iconColor?: string;
  word: string;
  count: number | undefined;
  countMax: number | undefined;
}

function Switch({ on, onClick, icon: Icon, iconColor, word, count, countMax = 0 }: SwitchProps) {
  return (
    <button
      type="button"
      aria-pressed={on}
      onClick={onClick}
      className={classNames(
        "flex h-7 shrink-0 items-center gap-1.5 rounded-control border px-2 font-medium text-label outline-offset-0 transition-colors duration-100",
        on ? "border-accent bg-selected text-text" : "border-line bg-surface text-text hover:bg-hover",
      )}
    >
      {Icon && <Icon aria-hidden size={13} className={iconColor} />}
      {word}
      <span className="min-w-3 text-muted tabular-nums">
        {count === undefined
          ? ""
          : count > countMax
            ? `${formatAmount(String(countMax))}+`
            : formatAmount(String(count))}
      </span>
    </button>
  );
}
