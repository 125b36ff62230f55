"use client";
import { Ellipsis, Plus, X } from "lucide-react";
import { Fragment, type ReactNode, useState } from "react";
import { countOf, countWords } from "@/app/(console)/batches/selection/use-selection";
import { submitterName } from "@/app/(console)/batches/status";
import { useFacets, useListParams } from "@/app/(console)/batches/use-batch-list";
import { formatAmount } from "@/app/ui/amount";
import { Button, ButtonLink } from "@/app/ui/button";
import { shortenHash } from "@/app/ui/hash-text";
import { useFocus, useLazyPanel } from "@/app/ui/hooks";
import type { BatchFacets } from "@/server/batches/list/console-schema";
import { FILTER_NAMES, FILTERS, type FilterName } from "@/server/batches/list/filters";
import { ADDRESS_PATTERN, BATCH_ID_PATTERN, POINTS_PATTERN } from "@/server/kernel/values/batch-terms";
import { recipientPath } from "../../contracts/paths";
import { useStaff } from "../../staff";
import type { FilterParams } from "../list-params";
import {
  ContractChip,
  FilterChip,
  OnlyPanel,
  StatusChip,
  SubmitterChoices,
  TextFilter,
  TimeChip,
  TypeChip,
} from "./filter-chip";
import type { TextFilterProps } from "./filter-panels";

type Change = { [Param in keyof FilterParams]?: FilterParams[Param] | null };

interface Given {
  params: FilterParams;
  set: (change: Change) => void;
  facets: BatchFacets | undefined;
}

/** How a filter is shown and set. Filters with the same label share one. */
interface Control {
  chip: (given: Given) => ReactNode;
  /** Its chip is there even if the filter is not set. */
  always?: true;
  /** What "Add filter" sets; by default it asks what the chip asks. Null if only a link sets it. */
  adds?: Change | null;
}

const status: Control = {
  always: true,
  chip: ({ params, set, facets }) => (
    <StatusChip
      chosen={params.status}
      onChange={(next) => set({ status: next, unblocked: null })}
      countOf={(one) => countWords(facets, facets && countOf(facets, one))}
    />
  ),
};

const type: Control = {
  always: true,
  chip: ({ params, set, facets }) => (
    <TypeChip
      chosen={params.type && [params.type]}
      onChange={(next) => set({ type: next?.[0] ?? null })}
      countOf={(one) => countWords(facets, facets?.pointTypes[one])}
    />
  ),
};

const time = (
  name: string,
  from: "from" | "dueFrom" | "finalizedFrom",
  to: "to" | "dueTo" | "finalizedTo",
  isFuture = false,
): Control => ({
  chip: ({ params, set }) => (
    <TimeChip
      name={name}
      isFuture={isFuture}
      from={params[from]}
      to={params[to]}
      onChange={(range) => set({ [from]: range.from, [to]: range.to })}
    />
  ),
});
const created = time("Created", "from", "to");
const due = time("Due", "dueFrom", "dueTo", true);
const finalized = time("Finalized", "finalizedFrom", "finalizedTo");

type TextForm = Omit<TextFilterProps, "value" | "shown" | "onChange">;

const text = (
  param: "id" | "recipient" | "min",
  form: TextForm,
  shownOf?: (value: string) => string,
): Control => ({
  chip: ({ params: { [param]: value }, set }) => (
    <TextFilter
      {...form}
      value={value}
      {...(value && shownOf && { shown: shownOf(value) })}
      onChange={(next) => set({ [param]: next })}
    />
  ),
});

/** Set by a click, and then only cleared. */
const flag = (
  param: "review" | "reversals" | "unblocked" | "upload",
  label: ReactNode,
  adds: Change | null,
): Control => ({
  adds,
  chip: ({ set }) => (
    <Button size="small" onClick={() => set({ [param]: null })} className="border-accent! bg-selected!">
      {label}
      <X aria-hidden size={12} />
      <span className="sr-only">Clear</span>
    </Button>
  ),
});

const CONTROLS = {
  statuses: status,
  overdue: status,
  held: status,
  awaitingApproval: status,
  pointType: type,
  contractAddress: {
    chip: ({ params, set }) => (
      <ContractChip contract={params.contract} onChange={(contract) => set({ contract })} />
    ),
  },
  createdAfter: created,
  createdBefore: created,
  dueAfter: due,
  dueBefore: due,
  finalizedAfter: finalized,
  finalizedBefore: finalized,
  idPrefix: text("id", {
    name: FILTERS.idPrefix.label,
    label: "Batch ID starts with",
    pattern: BATCH_ID_PATTERN,
    rule: "Enter 1 to 64 letters, digits or any of . _ : ~ -",
    placeholder: "payout-2026-",
  }),
  recipient: text(
    "recipient",
    {
      name: FILTERS.recipient.label,
      label: "Recipient address",
      pattern: ADDRESS_PATTERN,
      rule: "Enter 0x followed by 40 hex digits.",
      placeholder: "0x…",
    },
    shortenHash,
  ),
  minimumPoints: text(
    "min",
    {
      name: FILTERS.minimumPoints.label,
      label: "Batch total is at least",
      pattern: POINTS_PATTERN,
      rule: "Enter a plain decimal number, such as 1000.5.",
      placeholder: "1000",
    },
    (min) => `≥ ${formatAmount(min)}`,
  ),
  submittedBy: { chip: (given) => <SubmitterChip {...given} /> },
  unusual: flag("review", FILTERS.unusual.label, { review: "unusual" }),
  reversals: flag("reversals", FILTERS.reversals.label, { reversals: true }),
  unblocked: flag("unblocked", FILTERS.unblocked.label, { unblocked: true, status: null }),
  uploadId: flag(
    "upload",
    <>
      <span className="text-muted">{FILTERS.uploadId.label}</span> One upload
    </>,
    null,
  ),
} satisfies Record<FilterName, Control>;

function SubmitterChip({ params, set }: Given) {
  const { email } = useStaff();
  return (
    <FilterChip
      name={FILTERS.submittedBy.label}
      value={params.by ? submitterName(params.by, email) : undefined}
      onClear={() => set({ by: null })}
    >
      {(closing) => <SubmitterChoices onChoose={closing((by) => set({ by }))} />}
    </FilterChip>
  );
}

interface Labelled {
  label: string;
  control: Control;
  isSet: boolean;
}

/** One for each label, in the order of `FILTERS`. */
function controlsOf(params: FilterParams): Labelled[] {
  const found = new Map<string, Labelled>();
  for (const name of FILTER_NAMES) {
    const { label, param } = FILTERS[name];
    const isSet = params[param] !== null || (found.get(label)?.isSet ?? false);
    found.set(label, { label, control: CONTROLS[name], isSet });
  }
  return [...found.values()];
}

export function FilterBar() {
  const { params, setParams, clearFilters, filtered } = useListParams();
  // The menus show counts, which only somebody who goes there needs.
  const [isNear, setNear] = useState(false);
  const { data: facets } = useFacets(params, isNear);
  const given: Given = { params, set: (change) => void setParams(change), facets };
  const controls = controlsOf(params);
  const isShown = ({ control, isSet }: Labelled) => control.always || isSet;
  return (
    <div className="flex items-start gap-3 px-4 md:px-6">
      <search
        aria-label="Filters"
        onPointerEnter={() => setNear(true)}
        onFocus={() => setNear(true)}
        className="flex flex-1 items-center gap-1.5 overflow-x-auto py-0.5 md:flex-wrap"
      >
        {controls.filter(isShown).map(({ label, control }) => (
          <Fragment key={label}>{control.chip(given)}</Fragment>
        ))}
        {params.recipient && (
          <ButtonLink href={recipientPath(params.recipient)} variant="ghost" size="small">
            View recipient
          </ButtonLink>
        )}
        <AddFilter
          {...given}
          controls={controls.filter((each) => !isShown(each) && each.control.adds !== null)}
        />
        {filtered && (
          <Button variant="ghost" size="small" onClick={clearFilters}>
            Clear filters
          </Button>
        )}
      </search>
      <div className="py-0.5">
        <ListActions />
      </div>
    </div>
  );
}

const loadMenu = () => import("@/app/(console)/batches/list-menus").then((module) => module.ListMenu);

function ListActions() {
  const { Panel: Menu, buttonProps } = useLazyPanel(loadMenu);
  const label = "Columns and export";
  const button = (
    <Button size="small" {...buttonProps} aria-label={label} title={label} className="w-7">
      <Ellipsis aria-hidden size={14} className="text-muted" />
    </Button>
  );
  return Menu ? <Menu trigger={button} /> : button;
}

const loadPopover = () => import("@/app/ui/popover").then((module) => module.Popover);

/** First the filters that are not set, then what the chosen one asks for. */
function AddFilter({ controls, ...given }: Given & { controls: readonly Labelled[] }) {
  const [open, setOpen] = useState(true);
  const [label, setLabel] = useState<string>();
  const { Panel: Popover, buttonProps } = useLazyPanel(loadPopover);
  const first = useFocus<HTMLButtonElement>();
  const chosen = controls.find((each) => each.label === label);
  const set = (change: Change) => {
    given.set(change);
    setOpen(false);
  };
  const change = (next: boolean) => {
    setLabel(undefined);
    setOpen(next);
  };
  const button = (
    <Button variant="ghost" size="small" icon={Plus} {...buttonProps}>
      Add filter
    </Button>
  );
  if (!Popover) return button;
  return (
    <Popover title={chosen?.label ?? "Add filter"} open={open} onOpenChange={change} trigger={button}>
      {chosen ? (
        <OnlyPanel value>{chosen.control.chip({ ...given, set })}</OnlyPanel>
      ) : (
        <div className="-mx-1.5 flex w-60 flex-col">
          {controls.map(({ label, control }, index) => (
            <button
              key={label}
              ref={index === 0 ? first : undefined}
              type="button"
              onClick={() => (control.adds ? set(control.adds) : setLabel(label))}
              className="flex min-h-8 items-center rounded-control px-2 text-left text-table -outline-offset-2 hover:bg-hover"
            >
              {label}
            </button>
          ))}
        </div>
      )}
    </Popover>
  );
}
