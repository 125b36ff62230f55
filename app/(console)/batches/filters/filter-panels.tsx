import { useQuery } from "@tanstack/react-query";
import type { LucideIcon } from "lucide-react";
import { type ReactNode, type SubmitEvent, useState } from "react";
import { submitterName } from "@/app/(console)/batches/status";
import { useListParams } from "@/app/(console)/batches/use-list-params";
import { useStaff } from "@/app/(console)/staff";
import { useTRPC } from "@/app/data/trpc";
import { Button } from "@/app/ui/button";
import { TextField, textOf } from "@/app/ui/fields";
import { startOfDay } from "@/app/ui/format-time";
import { shortenHash } from "@/app/ui/hash-text";
import { takeFocus } from "@/app/ui/hooks";
import { SearchList } from "@/app/ui/popover";
import { useTimeZone } from "@/app/ui/time";
import { ADDRESS_PATTERN, SUBMITTER_PATTERN } from "@/terms/batch-terms";

const FRESH_MS = 60_000;

interface Option<Value> {
  value: Value;
  name: string;
  look?: { icon: LucideIcon; color: string };
  title?: string | undefined;
  /** After the name, in the list only. */
  note?: ReactNode;
}

export interface CheckChoicesProps<Value extends string> {
  name: string;
  options: readonly Option<Value>[];
  chosen: readonly Value[] | null;
  /** Null when none is chosen, which shows every one. */
  onChange: (chosen: Value[] | null) => void;
  className?: string;
}

export function CheckChoices<Value extends string>(props: CheckChoicesProps<Value>) {
  const { name, options, onChange, className = "flex w-56 flex-col" } = props;
  const chosen = props.chosen ?? [];
  const toggle = (value: Value, isOn: boolean) => {
    const next = isOn ? [...chosen, value] : chosen.filter((other) => other !== value);
    onChange(next.length > 0 ? next : null);
  };
  return (
    <fieldset className={className}>
      <legend className="sr-only">{name}</legend>
      {options.map(({ value, name, look, title, note }) => (
        <label key={value} title={title} className="choice cursor-pointer gap-2 px-1.5 hover:bg-hover">
          <input
            type="checkbox"
            checked={chosen.includes(value)}
            onChange={(event) => toggle(value, event.target.checked)}
            className="size-4 accent-accent"
          />
          {look && <look.icon size={13} className={look.color} />}
          <span className="min-w-0 flex-1">{name}</span>
          <span className="hint tabular-nums">{note}</span>
        </label>
      ))}
    </fieldset>
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

/** Team members, the contract's tokens and operator, and the token or operator that the text names. */
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
        <p className="mt-2 hint">Filter by a contract to see its tokens and operator.</p>
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
  const apply = (event: SubmitEvent<HTMLFormElement>) => {
    event.preventDefault();
    const text = textOf(new FormData(event.currentTarget), "value");
    if (text && !pattern.test(text)) setError(rule);
    else onChange(text || null);
  };
  return (
    <form onSubmit={apply} noValidate className="flex w-80 max-w-full flex-col gap-3">
      <TextField
        label={label}
        error={error}
        ref={takeFocus}
        name="value"
        defaultValue={value ?? ""}
        placeholder={placeholder}
        spellCheck={false}
        className="mono!"
      />
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

interface TimeChoicesProps {
  /** Most of the times are still to come. */
  isFuture?: boolean;
  /** `from` is inclusive, `to` is exclusive. */
  onChoose: (range: { from: Date; to: Date | null }) => void;
}

/** A preset becomes a fixed instant, so that a shared link keeps its rows. */
export function TimeChoices({ isFuture = false, onChoose }: TimeChoicesProps) {
  const { zone } = useTimeZone();
  const hoursFromNow = (hours: number) => new Date(Date.now() + hours * HOUR_MS);
  const dayStart = (day: string, later: number) => new Date(startOfDay(day, later, zone));
  return (
    <div className="flex flex-col gap-3">
      <div className="grid grid-cols-2 gap-1.5">
        {(isFuture ? FUTURE : PAST).map(([name, from, to], index) => (
          <Button
            key={name}
            ref={index === 0 ? takeFocus : undefined}
            size="small"
            onClick={() => onChoose({ from: hoursFromNow(from), to: to === null ? null : hoursFromNow(to) })}
          >
            {name}
          </Button>
        ))}
      </div>
      <form
        className="flex flex-col gap-3"
        onSubmit={(event) => {
          event.preventDefault();
          const form = new FormData(event.currentTarget);
          const days = [textOf(form, "first"), textOf(form, "last")].filter(Boolean).sort();
          onChoose({ from: dayStart(days[0]!, 0), to: dayStart(days.at(-1)!, 1) });
        }}
      >
        {/* Browsers accept years of six digits otherwise. */}
        <TextField label="First day" name="first" type="date" max="9999-12-31" required />
        <TextField label="Last day" hint="Empty for one day." name="last" type="date" max="9999-12-31" />
        <Button type="submit" variant="primary" className="self-end">
          Apply
        </Button>
      </form>
      <p className="hint">Full days in {zone}</p>
    </div>
  );
}
