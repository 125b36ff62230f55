"use client";
import { useQuery } from "@tanstack/react-query";
import { ChevronDown, X } from "lucide-react";
import dynamic from "next/dynamic";
import { createContext, type ReactNode, use, useState } from "react";
import type { ShownStatus } from "@/app/(console)/batches/list-params";
import { STATUS_LOOKS, TYPE_LABELS } from "@/app/(console)/batches/status";
import { useTRPC } from "@/app/data/trpc";
import { classNames } from "@/app/ui/class-names";
import { shortenHash } from "@/app/ui/hash-text";
import { useLazyPanel } from "@/app/ui/hooks";
import { useTimeZone } from "@/app/ui/time-zone";
import type { PointType } from "@/server/kernel/values/batch-terms";
import { describeRange } from "./describe-range";
import type { TextFilterProps } from "./filter-panels";

const loadPopover = () => import("@/app/ui/popover").then((module) => module.Popover);
const loadPanels = () => import("./filter-panels");
const StatusChoices = dynamic(() => loadPanels().then((panels) => panels.StatusChoices), {
  ssr: false,
});
const TypeChoices = dynamic(() => loadPanels().then((panels) => panels.TypeChoices), { ssr: false });
const ContractChoices = dynamic(() => loadPanels().then((panels) => panels.ContractChoices), {
  ssr: false,
});
export const SubmitterChoices = dynamic(() => loadPanels().then((panels) => panels.SubmitterChoices), {
  ssr: false,
});
const TextForm = dynamic(() => loadPanels().then((panels) => panels.TextForm), { ssr: false });
export const TimeChoices = dynamic(() => loadPanels().then((panels) => panels.TimeChoices), { ssr: false });

/** Makes the panel close once something is chosen. */
type Closing = <Value>(choose: (value: Value) => void) => (value: Value) => void;

/** In it, a chip is only what its panel asks. */
export const OnlyPanel = createContext(false);

interface FilterChipProps {
  name: string;
  /** Undefined when the filter is not set. */
  value?: ReactNode;
  onClear: () => void;
  children: (closing: Closing) => ReactNode;
}

export function FilterChip({ name, value, onClear, children }: FilterChipProps) {
  const [open, setOpen] = useState(true);
  const { Panel: Popover, buttonProps } = useLazyPanel(loadPopover);
  const closing: Closing = (choose) => (value) => {
    choose(value);
    setOpen(false);
  };
  if (use(OnlyPanel)) return children((choose) => choose);
  const set = value !== undefined;
  const button = (
    <button
      type="button"
      {...buttonProps}
      className={classNames(
        "flex h-7 items-center gap-1.5 whitespace-nowrap rounded-control px-2 font-medium text-label outline-offset-0",
        set ? "rounded-r-none" : "text-muted hover:text-text",
      )}
    >
      <span className={set ? "text-muted" : undefined}>{name}</span>
      {set ? <span className="max-w-52 truncate">{value}</span> : <ChevronDown aria-hidden size={12} />}
    </button>
  );
  return (
    <span
      className={classNames(
        "inline-flex shrink-0 items-center rounded-control border",
        set ? "border-accent bg-selected" : "border-line bg-surface hover:bg-hover",
      )}
    >
      {Popover ? (
        <Popover title={name} open={open} onOpenChange={setOpen} trigger={button}>
          {children(closing)}
        </Popover>
      ) : (
        button
      )}
      {set && (
        <button
          type="button"
          aria-label={`Clear ${name}`}
          onClick={onClear}
          className="flex h-7 w-6 items-center justify-center rounded-r-control text-muted outline-offset-0 hover:text-text"
        >
          <X aria-hidden size={12} />
        </button>
      )}
    </span>
  );
}

interface ChoicesChipProps<Value extends string> {
  chosen: readonly Value[] | null;
  /** Null when nothing is chosen any more. */
  onChange: (chosen: Value[] | null) => void;
  /** Empty while it is loaded. */
  countOf?: (value: Value) => string;
}

export function StatusChip({ chosen, onChange, countOf }: ChoicesChipProps<ShownStatus>) {
  return (
    <FilterChip
      name="Status"
      value={chosen?.map((status) => STATUS_LOOKS[status].label).join(", ")}
      onClear={() => onChange(null)}
    >
      {() => <StatusChoices chosen={chosen ?? []} onChange={onChange} countOf={countOf} />}
    </FilterChip>
  );
}

export function TypeChip({ chosen, onChange, countOf }: ChoicesChipProps<PointType>) {
  return (
    <FilterChip
      name="Type"
      value={chosen?.map((type) => TYPE_LABELS[type]).join(", ")}
      onClear={() => onChange(null)}
    >
      {(closing) => <TypeChoices chosen={chosen ?? []} onChange={closing(onChange)} countOf={countOf} />}
    </FilterChip>
  );
}

export function TextFilter(props: TextFilterProps) {
  const { name, value, shown, onChange } = props;
  return (
    <FilterChip name={name} value={shown ?? value ?? undefined} onClear={() => onChange(null)}>
      {(closing) => <TextForm {...props} onChange={closing(onChange)} />}
    </FilterChip>
  );
}

interface TimeChipProps {
  name: string;
  isFuture?: boolean;
  from: Date | null;
  to: Date | null;
  onChange: (range: { from: Date | null; to: Date | null }) => void;
}

export function TimeChip({ name, isFuture, from, to, onChange }: TimeChipProps) {
  const { zone } = useTimeZone();
  return (
    <FilterChip
      name={name}
      value={from || to ? describeRange(from, to, zone) : undefined}
      onClear={() => onChange({ from: null, to: null })}
    >
      {(closing) => <TimeChoices isFuture={isFuture} onChoose={closing(onChange)} />}
    </FilterChip>
  );
}

const FRESH_MS = 60_000;

interface ContractChipProps {
  contract: string | null;
  onChange: (contract: string | null) => void;
}

export function ContractChip({ contract, onChange }: ContractChipProps) {
  const trpc = useTRPC();
  const contracts = useQuery(
    trpc.console.contracts.list.queryOptions(undefined, {
      staleTime: FRESH_MS,
      enabled: contract !== null,
    }),
  );
  const label = contracts.data?.find(({ address }) => sameAddress(address, contract))?.label;
  return (
    <FilterChip
      name="Contract"
      value={contract ? (label ?? shortenHash(contract)) : undefined}
      onClear={() => onChange(null)}
    >
      {(closing) => <ContractChoices onChoose={closing(onChange)} />}
    </FilterChip>
  );
}

const sameAddress = (one: string, other: string | null) => one.toLowerCase() === other?.toLowerCase();
