import { clsx } from "clsx";
import { ArrowDown, ArrowUp, ArrowUpDown, ChevronDown, ChevronRight } from "lucide-react";
import type { ReactNode } from "react";
import { batchKey } from "@/app/(console)/batch-key";
import { BatchLink } from "@/app/(console)/batch-link";
import { defaultSort, type ListParams, showsFinalized, sortOf } from "@/app/(console)/batches/list-params";
import { isPartial, PayoutBadge, storedCount } from "@/app/(console)/batches/payout/payout-badge";
import { onPlainClick } from "@/app/(console)/batches/plain-click";
import { isOpen, TYPE_LABELS } from "@/app/(console)/batches/status";
import { Countdown, PaidMarks, StatusBadge, UnusualMark } from "@/app/(console)/batches/status-badge";
import { useListParams } from "@/app/(console)/batches/use-list-params";
import { contractPath } from "@/app/(console)/paths";
import { Amount, formatCount, fractionDigits } from "@/app/ui/amount";
import { Link } from "@/app/ui/button";
import { findLookalikes, HashText, hashEnd } from "@/app/ui/hash-text";
import { Instant } from "@/app/ui/time";
import type { ConsoleBatch } from "@/server/batches/list/console-schema";
import { LIST_SORTS, type ListSort } from "@/terms/filters";
import { flagOf, type Line } from "./lines";

/** Opens the batch next to the list. With a modifier key it is a plain link to the batch page. */
function RowLink({ batch }: Pick<ListRow, "batch">) {
  const { setParams } = useListParams();
  return (
    <BatchLink
      contractAddress={batch.contractAddress}
      id={batch.id}
      data-batch-link
      onClick={onPlainClick(() => void setParams({ open: batchKey(batch) }))}
      className={clsx("min-w-0 truncate font-medium", COVERS_CARD)}
    />
  );
}

const AtLeast = () => (
  <span>
    +<span className="sr-only"> at least</span>
  </span>
);

/** A tap anywhere on a card opens it. */
const COVERS_CARD = "max-md:after:absolute max-md:after:inset-0";

/** The payout's page, and how many of its batches the list has. */
function PayoutLink({ line }: { line: Line }) {
  const payout = line.batch.payout!;
  const { name, stored } = payout;
  const loaded = line.batches.length;
  const [one, many] = line.batch.reverses ? [" reversal", " reversals"] : [" batch", " batches"];
  return (
    <>
      <Link
        href={line.path}
        title={name}
        data-batch-link
        className={clsx(
          "min-w-0 truncate rounded-badge font-medium outline-offset-1 hover:text-accent",
          COVERS_CARD,
        )}
      >
        {name}
      </Link>
      <span title={`${storedCount(payout)}${stored === 1 ? one : many}`} className="shrink-0 hint">
        {loaded < stored && `${formatCount(loaded)} of `}
        {storedCount(payout)}
        <span className={line.batch.reverses ? undefined : "@max-[1300px]:sr-only"}>
          {stored === 1 ? one : many}
        </span>
      </span>
    </>
  );
}

function FoldButton({ line, fold }: Pick<ListRow, "line" | "fold">) {
  const Icon = line.isUnfolded ? ChevronDown : ChevronRight;
  return (
    <button
      type="button"
      aria-expanded={line.isUnfolded}
      aria-label={`Batches of ${line.batch.payout!.name}`}
      onClick={() => fold(line)}
      className="relative z-10 -ml-1 inline-flex size-6 shrink-0 items-center justify-center
        rounded-badge text-muted hover:text-text max-md:size-10"
    >
      <Icon size={14} />
    </button>
  );
}

/** A batch as its row shows it; of a payout, one with the figures of the whole. */
function shownBatch(line: Line, live: ConsoleBatch): ConsoleBatch {
  const { isPayout, batches } = line;
  // Reversals carry no figures of their payout.
  const payout = live.payout ?? line.batch.payout;
  if (!isPayout || !payout) return live;
  const isOver = payout.counts.pending + payout.counts.finalizing === 0;
  const dueAt = (!isOver && payout.nextDueAt) || live.finalizeAt;
  const held = payout.counts.onHold > 0 ? batches.find(({ heldAt }) => heldAt) : undefined;
  return {
    ...live,
    payout,
    points: payout.points,
    transferCount: payout.transferCount,
    // Of the same batch: those that take a payout back may be days apart.
    createdAt: batches.find(({ finalizeAt }) => finalizeAt === dueAt)?.createdAt ?? live.createdAt,
    finalizeAt: dueAt,
    flag: flagOf(line),
    heldAt: (payout.nextDueAt === null && held?.heldAt) || null,
    holdReason: held?.holdReason ?? null,
    ...(!isOver && live.status !== "FINALIZING" && { status: "PENDING" }),
  };
}

/** Rows, with what their cells need from the whole list. */
export function toRows(lines: readonly Line[], live: readonly ConsoleBatch[], fold: (line: Line) => void) {
  const batches = lines.map((line, at) => shownBatch(line, live[at] ?? line.batch));
  const fraction = fractionDigits(batches.map((batch) => batch.points));
  const labels = [...new Map(batches.map((each) => [each.contractAddress, each.contractLabel])).values()];
  const lookalikes = findLookalikes(
    batches.map((batch) => batch.contractAddress),
    hashEnd,
  );
  return batches.map((batch, at) => ({
    fold,
    line: lines[at]!,
    /** Of a payout, its figures in the first one. */
    batch,
    fraction,
    /** Another contract of the list has the same label. */
    ambiguous: labels.indexOf(batch.contractLabel) !== labels.lastIndexOf(batch.contractLabel),
    lookalike: lookalikes.has(batch.contractAddress),
    isLeast: lines[at]!.isPayout && isPartial(batch.payout!),
  }));
}

export type ListRow = ReturnType<typeof toRows>[number];

export interface Column {
  id: string;
  name: string;
  /** `id` gets what is left, and `points` grows with its longest amount. */
  width?: string;
  right?: true;
  fixed?: true;
  /** Left out of a narrow list, which would scroll sideways with it. */
  wide?: true;
  /** Its place in a card. Without one, a card leaves it out. */
  phone?: (row: ListRow) => string | false;
  /** What a first click on its heading does, and a second one. */
  sorts?: readonly [ListSort, ListSort];
  render: (row: ListRow) => ReactNode;
}

const AT_RIGHT = "max-md:col-start-3 max-md:justify-self-end";
const LAST = `row-start-3 max-md:hint ${AT_RIGHT}`;

/** They fit into 1,024 px next to the folded sidebar. Widths depend on the list, not on the window. */
export const COLUMNS: readonly Column[] = [
  {
    id: "status",
    name: "Status",
    width: "w-[160px] @[1180px]:w-[182px] @[1300px]:w-[204px]",
    fixed: true,
    phone: () => AT_RIGHT,
    render: ({ line, batch }) => (
      <span className="flex items-center gap-1" title={batch.holdReason ?? undefined}>
        {line.isPayout ? <PayoutBadge payout={batch.payout!} /> : <StatusBadge batch={batch} compact />}
        <UnusualMark flag={batch.flag} compact />
        {batch.holdReason && (
          // Without space for some letters, it wraps onto a second line, which is not shown.
          <span className="flex h-5 w-24 grow flex-wrap items-center overflow-clip before:h-5 max-md:hidden">
            <span className="w-0 min-w-10 grow truncate hint">{batch.holdReason}</span>
          </span>
        )}
      </span>
    ),
  },
  {
    id: "id",
    name: "Batch",
    fixed: true,
    phone: () => "-order-1",
    render: ({ line, batch, fold }) => (
      <span className={clsx("flex items-center gap-1", line.isPart && "md:pl-6")}>
        {line.isPayout && <FoldButton line={line} fold={fold} />}
        {line.isPayout ? <PayoutLink line={line} /> : <RowLink batch={batch} />}
        <PaidMarks {...(line.isPayout ? batch.payout! : { takenBack: batch.takenBack })} />
        {batch.reverses && !line.isPayout && (
          <span title={`Reversal of ${batch.reverses}`} className="min-w-0 shrink-99 truncate hint">
            Reversal
          </span>
        )}
      </span>
    ),
  },
  {
    id: "contract",
    name: "Contract",
    width: "w-[116px] @[1180px]:w-[124px] @[1300px]:w-[160px]",
    phone: () => "row-start-3 max-md:hint",
    render: ({ batch, ambiguous, lookalike }) => (
      <span className="flex items-center gap-x-1 print:flex-wrap">
        <Link
          href={contractPath(batch.contractAddress)}
          title={batch.contractAddress}
          className="min-w-8 truncate rounded-badge outline-offset-1 hover:text-accent"
        >
          {batch.contractLabel}
        </Link>
        {ambiguous && (
          <HashText
            value={batch.contractAddress}
            what="contract address"
            form="end"
            href={contractPath(batch.contractAddress)}
            lookalike={lookalike}
            copy={false}
            className="shrink-0 text-muted"
          />
        )}
        {batch.holdReason && <span className="truncate md:hidden">· {batch.holdReason}</span>}
      </span>
    ),
  },
  {
    id: "type",
    name: "Type",
    width: "w-[56px] @[1300px]:w-[62px]",
    render: ({ batch }) => <span title={batch.pointType}>{TYPE_LABELS[batch.pointType]}</span>,
  },
  {
    id: "transfers",
    name: "Transfers",
    width: "w-[72px] @[1180px]:w-[76px] @[1300px]:w-[104px]",
    right: true,
    sorts: ["TRANSFERS_DESC", "TRANSFERS"],
    phone: () => `row-start-2 max-md:hint ${AT_RIGHT}`,
    render: ({ batch: { transferCount }, isLeast }) => (
      <>
        <Amount value={String(transferCount)} />
        {isLeast && <AtLeast />}
        <span className="md:hidden">{transferCount === 1 ? " transfer" : " transfers"}</span>
      </>
    ),
  },
  {
    id: "points",
    name: "Amount",
    right: true,
    sorts: ["AMOUNT_DESC", "AMOUNT"],
    phone: () => "row-start-2 max-md:font-medium max-md:[&_span]:min-w-0!",
    render: ({ batch, fraction, isLeast }) => (
      <>
        <Amount value={batch.points} fraction={fraction} minus={Boolean(batch.reverses)} />
        {isLeast && <AtLeast />}
        <span className="md:hidden"> {TYPE_LABELS[batch.pointType]}</span>
      </>
    ),
  },
  {
    id: "created",
    name: "Created",
    width: "w-[92px] @[1180px]:w-[150px] @[1300px]:w-[160px]",
    sorts: ["DESC", "ASC"],
    phone: ({ batch }) => !isOpen(batch) && LAST,
    render: ({ batch }) => <Instant at={batch.createdAt} short />,
  },
  {
    id: "due",
    name: "Due",
    width: "w-[118px] @[1180px]:w-[154px] @[1300px]:w-[160px]",
    sorts: ["DUE", "DUE_DESC"],
    phone: ({ batch }) => isOpen(batch) && LAST,
    render: ({ batch }) =>
      isOpen(batch) ? (
        <Countdown batch={batch} lead={<span className="md:hidden">due </span>} />
      ) : (
        <Instant at={batch.finalizeAt} short className="text-muted" />
      ),
  },
  {
    id: "finalized",
    name: "Finalized",
    width: "w-[92px] @[1180px]:w-[150px] @[1300px]:w-[160px]",
    sorts: ["FINALIZED_DESC", "FINALIZED"],
    render: ({ batch }) => batch.updatedAt && <Instant at={batch.updatedAt} short />,
  },
  {
    id: "submittedBy",
    name: "Submitted by",
    width: "w-[104px] @[1300px]:w-[152px]",
    wide: true,
    render: ({ batch }) => (
      <span title={batch.submittedBy} className="text-muted">
        {batch.submittedBy.replace(/^(token|staff):/, "")}
      </span>
    ),
  },
];

export function hasColumn(params: ListParams, id: string): boolean {
  // Every row would have the same contract, which the filter names.
  if (id === "contract") return params.contract === null;
  if (!showsFinalized(params)) return id !== "finalized";
  // For finalized batches this time takes the place of the due time, unless the list is about due times.
  const isAboutDue = params.dueFrom || params.dueTo || LIST_SORTS[sortOf(params)].by === "finalizeAt";
  return id !== "due" || Boolean(isAboutDue);
}

export function sortedBy(params: ListParams, { sorts }: Column): "ascending" | "descending" | undefined {
  const sort = sortOf(params);
  if (!sorts?.includes(sort)) return undefined;
  return LIST_SORTS[sort].descending ? "descending" : "ascending";
}

export function SortHeader({ column }: { column: Column }) {
  const { params, setParams } = useListParams();
  if (!column.sorts) return column.name;
  const sort = sortOf(params);
  const direction = sortedBy(params, column);
  const Icon = { ascending: ArrowUp, descending: ArrowDown, none: ArrowUpDown }[direction ?? "none"];
  const [first, other] = column.sorts;
  const next = sort === first ? other : first;
  return (
    <button
      type="button"
      onClick={() => void setParams({ sort: next === defaultSort(params) ? null : next })}
      className="inline-flex max-w-full items-center gap-1 rounded-badge hover:text-text"
    >
      <span className="truncate">{column.name}</span>
      <Icon size={12} className={clsx("shrink-0", !direction && "@max-[1300px]:hidden")} />
    </button>
  );
}

interface RowCheckboxProps {
  label: string;
  checked: boolean | "some";
  onToggle: (range: boolean) => void;
}

/** The label is larger than the box, so that it is easy to hit. */
export function RowCheckbox({ label, checked, onToggle }: RowCheckboxProps) {
  return (
    <label className="inline-flex size-7 cursor-pointer items-center justify-center">
      <input
        type="checkbox"
        aria-label={label}
        checked={checked === true}
        ref={(box) => {
          if (box) box.indeterminate = checked === "some";
        }}
        onChange={(event) => onToggle((event.nativeEvent as MouseEvent).shiftKey)}
        className="size-4 cursor-pointer accent-accent"
      />
    </label>
  );
}
