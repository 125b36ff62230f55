import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { Plus, X } from "lucide-react";
import { Fragment, type ReactNode, useState } from "react";
import { COUNTS_EVERY_MS, countWords } from "@/app/(console)/batches/counts";
import { type FilterParams, toFilters } from "@/app/(console)/batches/list-params";
import { submitterName } from "@/app/(console)/batches/status";
import { useListParams } from "@/app/(console)/batches/use-list-params";
import { payoutPath, recipientPath } from "@/app/(console)/paths";
import { useStaff } from "@/app/(console)/staff";
import { useTRPC } from "@/app/data/trpc";
import { formatAmount } from "@/app/ui/amount";
import { Button, ButtonLink } from "@/app/ui/button";
import { shortenHash } from "@/app/ui/hash-text";
import { takeFocus, useLazyPanel } from "@/app/ui/hooks";
import type { BatchFacets } from "@/server/batches/list/count-batches";
import {
  ADDRESS_PATTERN,
  BATCH_ID_PATTERN,
  METADATA_PAIR_PATTERN,
  POINTS_PATTERN,
} from "@/terms/batch-terms";
import { FILTER_NAMES, FILTERS, type FilterName } from "@/terms/filters";
import {
  ContractChip,
  FilterChip,
  FilterRow,
  OnlyPanel,
  PrintedFilter,
  StatusChip,
  SubmitterChoices,
  TextFilter,
  TimeChip,
  TypeChip,
} from "./filter-chip";
import type { TextFilterProps } from "./filter-panels";

interface Given {
  label: string;
  params: FilterParams;
  set: (change: Partial<FilterParams>) => void;
  facets: BatchFacets | undefined;
  email: string;
}

interface Control {
  chip: (given: Given) => ReactNode;
  /** Its chip is there even if the filter is not set. */
  always?: true;
  /** What "Add filter" sets; by default it asks what the chip asks. Null if only a link sets it. */
  adds?: Partial<FilterParams> | null;
}

const time = (
  from: "from" | "dueFrom" | "finalizedFrom",
  to: "to" | "dueTo" | "finalizedTo",
  isFuture = false,
): Control => ({
  chip: ({ label, params, set }) => (
    <TimeChip
      name={label}
      isFuture={isFuture}
      from={params[from]}
      to={params[to]}
      onChange={(range) => set({ [from]: range.from, [to]: range.to })}
    />
  ),
});

const text = (
  param: "id" | "recipient" | "min" | "metadata",
  form: Pick<TextFilterProps, "label" | "pattern" | "rule" | "placeholder">,
  shownOf: (value: string) => string = String,
): Control => ({
  chip: ({ label, params: { [param]: value }, set }) => (
    <TextFilter
      {...form}
      name={label}
      value={value}
      shown={value === null ? undefined : shownOf(value)}
      onChange={(next) => set({ [param]: next })}
    />
  ),
});

/** Set by a click, and then only cleared. */
const flag = (
  param: "review" | "reversals" | "unblocked" | "payout",
  adds: Partial<FilterParams> | null,
): Control => ({
  adds,
  chip: ({ label, set }) => (
    <>
      <PrintedFilter name={label} />
      <Button size="small" onClick={() => set({ [param]: null })} className="border-accent! bg-selected!">
        {label}
        <X size={12} />
        <span className="sr-only">Clear</span>
      </Button>
    </>
  ),
});

/** In the order in which the bar shows them. */
const CONTROLS = {
  Contract: {
    chip: ({ params, set }) => (
      <ContractChip contract={params.contract} onChange={(contract) => set({ contract })} />
    ),
  },
  Status: {
    always: true,
    chip: ({ params, set, facets }) => (
      <StatusChip
        chosen={params.status}
        onChange={(status) => set({ status, unblocked: null })}
        countOf={(one) => countWords(facets, one)}
      />
    ),
  },
  Type: {
    chip: ({ params, set, facets }) => (
      <TypeChip
        chosen={params.type}
        onChange={(type) => set({ type })}
        countOf={(one) => countWords(facets, one)}
      />
    ),
  },
  Created: time("from", "to"),
  Due: time("dueFrom", "dueTo", true),
  Finalized: time("finalizedFrom", "finalizedTo"),
  "Batch ID": text("id", {
    label: "Batch ID starts with",
    pattern: BATCH_ID_PATTERN,
    rule: "Enter 1 to 64 letters, digits or any of . _ : ~ -",
    placeholder: "payout-2026-",
  }),
  Recipient: text(
    "recipient",
    {
      label: "Recipient address",
      pattern: ADDRESS_PATTERN,
      rule: "Enter 0x followed by 40 hex digits.",
      placeholder: "0x…",
    },
    shortenHash,
  ),
  "Minimum amount": text(
    "min",
    {
      label: "Batch total is at least",
      pattern: POINTS_PATTERN,
      rule: "Enter a plain decimal number, such as 1000.5.",
      placeholder: "1000",
    },
    (min) => `≥ ${formatAmount(min)}`,
  ),
  "Submitted by": {
    chip: ({ label, params, set, email }) => (
      <FilterChip
        name={label}
        value={params.by ? submitterName(params.by, email) : undefined}
        onClear={() => set({ by: null })}
      >
        {(closing) => <SubmitterChoices onChoose={closing((by) => set({ by }))} />}
      </FilterChip>
    ),
  },
  Metadata: text("metadata", {
    label: "Key and value",
    pattern: METADATA_PAIR_PATTERN,
    rule: "Enter a key, a colon and a value.",
    placeholder: "campaign:summer",
  }),
  Unusual: flag("review", { review: "unusual" }),
  Reversals: flag("reversals", { reversals: true }),
  "Pending, not on hold or awaiting approval": flag("unblocked", { unblocked: true, status: null }),
  Payout: flag("payout", null),
} satisfies Record<(typeof FILTERS)[FilterName]["label"], Control>;

const LABELLED = Object.entries<Control>(CONTROLS).map(([label, control]) => ({
  ...control,
  label,
  params: FILTER_NAMES.map((name) => FILTERS[name]).flatMap((filter) =>
    filter.label === label ? filter.param : [],
  ),
}));

export function FilterBar() {
  const { params, setParams, clearFilters, filtered } = useListParams();
  // The menus show counts, which only somebody who goes there needs.
  const [isNear, setNear] = useState(false);
  const { data: facets } = useQuery(
    useTRPC().console.batches.facets.queryOptions(toFilters(params), {
      enabled: isNear,
      refetchInterval: COUNTS_EVERY_MS,
      placeholderData: keepPreviousData,
    }),
  );
  const { email } = useStaff();
  const given = { params, set: (change: Partial<FilterParams>) => void setParams(change), facets, email };
  const { contract: contractAddress, payout: id, recipient } = params;
  const viewed = recipient
    ? { path: recipientPath(recipient), name: "recipient" }
    : contractAddress && id && { path: payoutPath({ contractAddress, id }), name: "payout" };
  const isShown = (control: (typeof LABELLED)[number]) =>
    control.always || control.params.some((name) => params[name] !== null);
  return (
    <FilterRow
      onClear={filtered ? clearFilters : undefined}
      onPointerEnter={() => setNear(true)}
      onFocus={() => setNear(true)}
      className="items-center px-4 md:px-6"
    >
      {LABELLED.filter(isShown).map(({ label, chip }) => (
        <Fragment key={label}>{chip({ ...given, label })}</Fragment>
      ))}
      {viewed && (
        <ButtonLink href={viewed.path} variant="ghost" size="small">
          View {viewed.name}
        </ButtonLink>
      )}
      <AddFilter
        {...given}
        controls={LABELLED.filter((control) => !isShown(control) && control.adds !== null)}
      />
    </FilterRow>
  );
}

/** First the filters that are not set, then what the chosen one asks for. */
function AddFilter({ controls, ...given }: Omit<Given, "label"> & { controls: typeof LABELLED }) {
  const [open, setOpen] = useState(true);
  const [label, setLabel] = useState<string>();
  const { Panel: Popover, buttonProps } = useLazyPanel(() => import("@/app/ui/popover"));
  const chosen = controls.find((each) => each.label === label);
  const set = (change: Partial<FilterParams>) => {
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
        <OnlyPanel value>{chosen.chip({ ...given, label: chosen.label, set })}</OnlyPanel>
      ) : (
        <div className="-mx-1.5 flex w-60 flex-col">
          {controls.map(({ label, adds }, index) => (
            <button
              key={label}
              ref={index === 0 ? takeFocus : undefined}
              type="button"
              onClick={() => (adds ? set(adds) : setLabel(label))}
              className="choice text-left hover:bg-hover"
            >
              {label}
            </button>
          ))}
        </div>
      )}
    </Popover>
  );
}
