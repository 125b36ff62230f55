"use client";
import { useQuery } from "@tanstack/react-query";
import { type ReactNode, type SubmitEvent, useState } from "react";
import { useListParams } from "@/app/(console)/batches/use-batch-list";
import { Button } from "@/app/ui/button";
import { Field, Input, NativeSelect } from "@/app/ui/fields";
import { formatDay, startOfDay } from "@/app/ui/format-time";
import { shortenHash } from "@/app/ui/hash-text";
import { useFocus } from "@/app/ui/hooks";
import { SearchList } from "@/app/ui/popover";
import { useTimeZone } from "@/app/ui/time-zone";
import {
  ADDRESS_PATTERN,
  type BatchStatus,
  monthsBackTo,
  nameOfMonth,
  POINT_TYPES,
  type PointType,
  SUBMITTER_PATTERN,
} from "@/server/kernel/values/batch-terms";
import { useTRPC } from "../../../data/trpc";
import { DateRange } from "../../../ui/date-range";
import { useStaff } from "../../staff";
import { isMark, MARKS, type Mark, type ShownStatus } from "../list-params";
import { STATUS_LOOKS, submitterName, TYPE_LABELS } from "../status";
import { rangeOfMonth } from "./describe-range";

const FRESH_MS = 60_000;

const STATES: readonly BatchStatus[] = ["PENDING", "FINALIZING", "FINALIZED", "CANCELLED"];

const MARK_TITLES: Record<Mark, string> = {
  OVERDUE: "Pending or finalizing, and past the due time. Also counted under their own status.",
  HELD: "Put on hold by staff. Also counted as pending.",
  AWAITING_APPROVAL: "A second person must approve it. Also counted as pending.",
};

interface ChoicesProps<Value extends string> {
  chosen: readonly Value[];
  /** Null when nothing is chosen any more. */
  onChange: (chosen: Value[] | null) => void;
  /** Empty while it is loaded. */
  countOf?: ((value: Value) => string) | undefined;
}

export function StatusChoices({ chosen, onChange, countOf }: ChoicesProps<ShownStatus>) {
  return (
    <fieldset className="flex w-56 flex-col">
      <legend className="sr-only">Status</legend>
      {[...STATES, ...MARKS].map((status) => {
        const { icon: Icon, color, label } = STATUS_LOOKS[status];
        return (
          <Choice
            key={status}
            checked={chosen.includes(status)}
            onChange={() => onChange(toggled(chosen, status))}
            title={isMark(status) ? MARK_TITLES[status] : undefined}
            count={countOf?.(status)}
          >
            <Icon aria-hidden size={13} className={color} />
            {label}
          </Choice>
        );
      })}
    </fieldset>
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

export function TypeChoices({ chosen, onChange, countOf }: ChoicesProps<PointType>) {
  return (
    <fieldset className="flex w-44 flex-col">
      <legend className="sr-only">Type</legend>
      {POINT_TYPES.map((type) => (
        <Choice
          key={type}
          checked={chosen.includes(type)}
          onChange={() => onChange(chosen.includes(type) ? null : [type])}
          count={countOf?.(type)}
        >
          {TYPE_LABELS[type]}
        </Choice>
      ))}
    </fieldset>
  );
}

interface ChoiceProps {
  checked: boolean;
  onChange: () => void;
  title?: string | undefined;
  count: string | undefined;
  children: ReactNode;
}

function Choice({ checked, onChange, title, count, children }: ChoiceProps) {
  return (
    <label
      title={title}
      className="flex min-h-8 cursor-pointer items-center gap-2 rounded-control px-2 text-table hover:bg-hover"
    >
      <input type="checkbox" checked={checked} onChange={onChange} className="size-4 accent-accent" />
      {children}
      {count !== undefined && <span className="ml-auto text-label text-muted tabular-nums">{count}</span>}
    </label>
  );
}

export function ContractChoices({ onChoose }: { onChoose: (address: string) => void }) {
  const trpc = useTRPC();
  const contracts = useQuery(trpc.console.contracts.list.queryOptions(undefined, { staleTime: FRESH_MS }));
  const options = contracts.data?.map(({ address, label }) => ({
    value: address,
    text: `${label} ${address}`,
    label,
    detail: shortenHash(address),
  }));
  return (
    <SearchList
      label="Search contracts by label or address"
      placeholder="Label or address"
      isPending={contracts.isPending}
      error={contracts.isError && "Could not load the contracts. Close this and try again."}
      options={() => options ?? []}
      onChoose={onChoose}
    />
  );
}

/** Team members, the tokens and operator of the chosen contract, and the token or operator that the text names. */
export function SubmitterChoices({ onChoose }: { onChoose: (submitter: string) => void }) {
  const trpc = useTRPC();
  const { email } = useStaff();
  const { params } = useListParams();
  const staff = useQuery(trpc.console.staff.list.queryOptions(undefined, { staleTime: FRESH_MS }));
  const ofContract = { staleTime: FRESH_MS, enabled: params.contract !== null };
  const contract = { contractAddress: params.contract ?? "" };
  const tokens = useQuery(trpc.console.contracts.tokens.queryOptions(contract, ofContract));
  const details = useQuery(trpc.console.contracts.get.queryOptions(contract, ofContract));
  const hasFailed = staff.isError || tokens.isError || details.isError;

  const operator = details.data?.operatorAddress;
  const known = [
    ...(tokens.data?.map(({ name }) => `token:${name}`) ?? []),
    ...(operator ? [`operator:${operator}`] : []),
    `staff:${email}`,
    ...(staff.data?.map((person) => `staff:${person.email}`) ?? []),
    "ops",
  ];
  const optionsOf = (search: string) => {
    const named = ADDRESS_PATTERN.test(search) ? `operator:${search}` : `token:${search}`;
    const submitters = new Set([...(search && SUBMITTER_PATTERN.test(named) ? [named] : []), ...known]);
    return [...submitters].map((submitter) => {
      const name = submitterName(submitter, email);
      return { value: submitter, text: `${submitter} ${name}`, label: name };
    });
  };
  return (
    <>
      <SearchList
        label="Email, token name or operator address"
        placeholder="Email, token name or operator address"
        isPending={staff.isPending}
        error={hasFailed && "Could not load all names. Enter the exact name."}
        options={optionsOf}
        onChoose={onChoose}
      />
      {params.contract === null && (
        <p className="mt-2 text-label text-muted">Filter by a contract to see its tokens and operator.</p>
      )}
    </>
  );
}

export interface TextFilterProps {
  name: string;
  label: string;
  value: string | null;
  /** The value as the chip shows it, when that differs. */
  shown?: string;
  pattern: RegExp;
  rule: string;
  placeholder: string;
  onChange: (value: string | null) => void;
}

export function TextForm({ label, value, pattern, rule, placeholder, onChange }: TextFilterProps) {
  const [error, setError] = useState<string>();
  const field = useFocus<HTMLInputElement>();
  const apply = (event: SubmitEvent<HTMLFormElement>) => {
    event.preventDefault();
    const text = String(new FormData(event.currentTarget).get("value") ?? "").trim();
    if (text && !pattern.test(text)) setError(rule);
    else onChange(text || null);
  };
  return (
    <form onSubmit={apply} noValidate className="flex w-80 max-w-full flex-col gap-3">
      <Field label={label} error={error}>
        {(control) => (
          <Input
            {...control}
            ref={field}
            name="value"
            defaultValue={value ?? ""}
            placeholder={placeholder}
            autoComplete="off"
            spellCheck={false}
            className="font-mono text-mono!"
          />
        )}
      </Field>
      <Button type="submit" variant="primary" className="self-end">
        Apply
      </Button>
    </form>
  );
}

const HOUR_MS = 3_600_000;

/** A name, and the hours from now at which the range begins and ends. */
type Preset = readonly [name: string, from: number, to: number | null];

const DAY = 24;
const PAST: readonly Preset[] = [
  ["Last hour", -1, null],
  ["Last 24 hours", -DAY, null],
  ["Last 7 days", -7 * DAY, null],
  ["Last 30 days", -30 * DAY, null],
];
const FUTURE: readonly Preset[] = [
  ["Next hour", 0, 1],
  ["Next 24 hours", 0, DAY],
  ["Next 7 days", 0, 7 * DAY],
  ["Last 24 hours", -DAY, 0],
];

/** Months that can be chosen by name. Earlier ones are in the calendar. */
const MONTHS_MAX = 36;
const EARLIEST = "1970-01";

interface TimeChoicesProps {
  /** Most of the times are still to come. */
  isFuture?: boolean;
  /** `from` is inclusive, `to` is exclusive. */
  onChoose: (range: { from: Date; to: Date | null }) => void;
}

/** A preset becomes a fixed instant, so that a shared link keeps its rows. */
export function TimeChoices({ isFuture = false, onChoose }: TimeChoicesProps) {
  const { zone } = useTimeZone();
  const first = useFocus<HTMLButtonElement>();
  const hoursFromNow = (hours: number) => new Date(Date.now() + hours * HOUR_MS);
  const months = monthsBackTo(EARLIEST, formatDay(Date.now(), zone).slice(0, 7), MONTHS_MAX);
  const chooseMonth = (month: string) => onChoose(rangeOfMonth(month, zone));
  // The calendar returns local dates; the range is the same day in the chosen zone.
  const dayStart = (day: Date, daysLater: number) =>
    new Date(startOfDay(day.getFullYear(), day.getMonth(), day.getDate() + daysLater, zone));
  return (
    <div className="flex flex-col gap-3">
      <div className="grid grid-cols-2 gap-1.5">
        {(isFuture ? FUTURE : PAST).map(([name, from, to], index) => (
          <Button
            key={name}
            ref={index === 0 ? first : undefined}
            size="small"
            onClick={() => onChoose({ from: hoursFromNow(from), to: to === null ? null : hoursFromNow(to) })}
          >
            {name}
          </Button>
        ))}
      </div>
      <div className="grid grid-cols-2 gap-1.5">
        <Button size="small" onClick={() => chooseMonth(months[0]!)}>
          This month
        </Button>
        <Button size="small" onClick={() => chooseMonth(months[1]!)}>
          Last month
        </Button>
        <NativeSelect
          aria-label="Month"
          className="col-span-2"
          value=""
          onChange={({ target }) => chooseMonth(target.value)}
        >
          <option value="" disabled>
            Month
          </option>
          {months.map((month) => (
            <option key={month} value={month}>
              {nameOfMonth(month)}
            </option>
          ))}
        </NativeSelect>
      </div>
      <DateRange onChoose={(first, last) => onChoose({ from: dayStart(first, 0), to: dayStart(last, 1) })} />
      <p className="text-label text-muted">Full days and months in {zone}</p>
    </div>
  );
}
