import { useQuery } from "@tanstack/react-query";
import { clsx } from "clsx";
import { ChevronDown, X } from "lucide-react";
import { type ComponentProps, createContext, type ReactNode, use, useState } from "react";
import { isMark, type ShownStatus } from "@/app/(console)/batches/list-params";
import { STATUS_LOOKS, TYPE_LABELS } from "@/app/(console)/batches/status";
import { MARK_TITLES } from "@/app/(console)/batches/status-badge";
import { useTRPC } from "@/app/data/trpc";
import { Button } from "@/app/ui/button";
import { formatDay, formatInstant } from "@/app/ui/format-time";
import { shortenHash } from "@/app/ui/hash-text";
import { useLazyPanel } from "@/app/ui/hooks";
import { later } from "@/app/ui/later";
import { useTimeZone } from "@/app/ui/time";
import { POINT_TYPES, type PointType } from "@/terms/batch-terms";
import type { CheckChoicesProps, TextFilterProps } from "./filter-panels";

const loadPanels = () => import("./filter-panels");
const CheckChoices = later(() => loadPanels().then((panels) => panels.CheckChoices));
const ContractChoices = later(() => loadPanels().then((panels) => panels.ContractChoices));
export const SubmitterChoices = later(() => loadPanels().then((panels) => panels.SubmitterChoices));
const TextForm = later(() => loadPanels().then((panels) => panels.TextForm));
export const TimeChoices = later(() => loadPanels().then((panels) => panels.TimeChoices));

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

/** On paper, which has no buttons. */
export const PrintedFilter = ({ name, children }: { name: string; children?: ReactNode }) => (
  <span className="not-print:hidden mr-2 text-table">
    {name}
    {children && <>: {children}</>}
  </span>
);

export function FilterChip({ name, value, onClear, children }: FilterChipProps) {
  const [open, setOpen] = useState(true);
  const { Panel: Popover, buttonProps } = useLazyPanel(() => import("@/app/ui/popover"));
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
      className={clsx(
        "flex h-7 items-center gap-1.5 whitespace-nowrap",
        "rounded-control px-2 font-medium text-label outline-offset-0",
        set ? "rounded-r-none" : "text-muted hover:text-text",
      )}
    >
      <span className={set ? "text-muted" : undefined}>{name}</span>
      {set ? <span className="max-w-52 truncate">{value}</span> : <ChevronDown size={12} />}
    </button>
  );
  return (
    <span
      className={clsx(
        "inline-flex shrink-0 items-center rounded-control border print:border-0 print:bg-surface",
        set ? "border-accent bg-selected" : "border-line bg-surface hover:bg-hover",
      )}
    >
      {set && <PrintedFilter name={name}>{value}</PrintedFilter>}
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
          className="grid h-7 w-6 place-items-center rounded-r-control text-muted outline-offset-0
            hover:text-text"
        >
          <X size={12} />
        </button>
      )}
    </span>
  );
}

type FilterRowProps = ComponentProps<"search"> & { onClear: (() => void) | undefined };

export const FilterRow = ({ onClear, className, children, ...props }: FilterRowProps) => (
  <search
    aria-label="Filters"
    {...props}
    className={clsx("flex gap-1.5 overflow-x-auto py-0.5 md:flex-wrap", className)}
  >
    {children}
    {onClear && (
      <Button variant="ghost" size="small" onClick={onClear}>
        Clear filters
      </Button>
    )}
  </search>
);

type CheckFilterProps<Value extends string> = CheckChoicesProps<Value> & { closes?: boolean };

export function CheckFilter<Value extends string>({ closes, ...props }: CheckFilterProps<Value>) {
  const { name, options, chosen, onChange } = props;
  const change = (next: string[] | null) => onChange(next as Value[] | null);
  const names = options.filter(({ value }) => chosen?.includes(value)).map((option) => option.name);
  return (
    <FilterChip name={name} value={names.join(", ") || undefined} onClear={() => onChange(null)}>
      {(closing) => <CheckChoices {...props} onChange={closes ? closing(change) : change} />}
    </FilterChip>
  );
}

interface ChoicesChipProps<Value extends string, Chosen> {
  chosen: Chosen | null;
  /** Null when nothing is chosen any more. */
  onChange: (chosen: Chosen | null) => void;
  countOf?: (value: Value) => string;
}

const STATUS_NAMES = Object.keys(STATUS_LOOKS) as ShownStatus[];

export function StatusChip({ chosen, onChange, countOf }: ChoicesChipProps<ShownStatus, ShownStatus[]>) {
  const options = STATUS_NAMES.map((value) => ({
    value,
    name: STATUS_LOOKS[value].label,
    look: STATUS_LOOKS[value],
    title: isMark(value)
      ? `${MARK_TITLES[value]}. ` +
        `Also counted ${value === "OVERDUE" ? "under their own status" : "as pending"}.`
      : undefined,
    note: countOf?.(value),
  }));
  // Filters are ANDed. Overdue and held batches have a status too, so that few rows would match both.
  const change = (next: ShownStatus[] | null) => {
    const added = next?.find((status) => !chosen?.includes(status));
    const fits = (status: ShownStatus) => !added || status === added || !(isMark(added) || isMark(status));
    onChange(next?.filter(fits) ?? null);
  };
  return <CheckFilter name="Status" options={options} chosen={chosen} onChange={change} />;
}

export function TypeChip({ chosen, onChange, countOf }: ChoicesChipProps<PointType, PointType>) {
  const options = POINT_TYPES.map((value) => ({ value, name: TYPE_LABELS[value], note: countOf?.(value) }));
  const choose = (next: PointType[] | null) => onChange(next?.at(-1) ?? null);
  return <CheckFilter closes name="Type" options={options} chosen={chosen && [chosen]} onChange={choose} />;
}

export function TextFilter(props: TextFilterProps) {
  const { name, value, shown, onChange } = props;
  return (
    <FilterChip name={name} value={shown ?? value ?? undefined} onClear={() => onChange(null)}>
      {(closing) => <TextForm {...props} onChange={closing(onChange)} />}
    </FilterChip>
  );
}

/** A period in words: days, or instants. `from` is inclusive, `to` is exclusive; either may be open. */
export function describeRange(from: Date | null, to: Date | null, zone: string): string {
  const startsDay = (at: Date) => formatInstant(at.getTime(), zone).endsWith("00:00:00");
  if (from && to && startsDay(from) && startsDay(to)) {
    const [first, last] = [formatDay(from.getTime(), zone), formatDay(to.getTime() - 1, zone)];
    return first === last ? first : `${first} to ${last}`;
  }
  const bounds = [
    from && `from ${formatInstant(from.getTime(), zone)}`,
    to && `before ${formatInstant(to.getTime(), zone)}`,
  ];
  return bounds.filter(Boolean).join(" ");
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
  const options = { staleTime: FRESH_MS, enabled: contract !== null };
  const contracts = useQuery(useTRPC().console.contracts.list.queryOptions(undefined, options));
  const label = contracts.data?.find(
    ({ address }) => address.toLowerCase() === contract?.toLowerCase(),
  )?.label;
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
