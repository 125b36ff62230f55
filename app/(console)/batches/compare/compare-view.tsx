import { ArrowDown } from "lucide-react";
import type { ReactNode } from "react";
import type { ComparedBatches } from "@/server/batches/compare/compare-batches";
import {
  type ConsoleBatch,
  DIFFERENCE_KINDS,
  type DifferenceKind,
} from "@/server/batches/list/console-schema";
import { Amount, formatCount } from "../../../ui/amount";
import { classNames } from "../../../ui/class-names";
import { counted } from "../../../ui/counted";
import { DownloadLink } from "../../../ui/download-link";
import { Instant } from "../../../ui/instant";
import { SwitchLinks } from "../../operations/switch-links";
import { BatchIdLink } from "../batch/batch-id-link";
import { Section } from "../batch/section";
import { transfersOf } from "../count-words";
import { compareExportPath, comparePath } from "../paths";
import { TYPE_LABELS } from "../status";
import { StatusBadge } from "../status-badge";
import { DIFFERENCE_LABELS, DifferencesTable, Signed } from "./differences-table";

interface CompareViewProps {
  compared: ComparedBatches;
  /** The kind of differences to list; all without one. */
  show: DifferenceKind | undefined;
  asOf: string;
}

/** The totals of two batches, and the recipients that differ. */
export function CompareView({ compared, show, asOf }: CompareViewProps) {
  const { before, after, difference, counts, shown } = compared;
  const differing = show ? counts[show] : counts.added + counts.removed + counts.changed;
  return (
    <>
      <div className="grid grid-cols-1 items-stretch gap-3 md:grid-cols-[1fr_auto_1fr]">
        <Side name="Before" batch={before} asOf={asOf} />
        <ArrowDown
          aria-hidden
          size={16}
          className="self-center justify-self-center text-muted md:-rotate-90"
        />
        <Side name="After" batch={after} asOf={asOf} />
      </div>
      <dl className="grid grid-cols-2 gap-x-6 gap-y-3 rounded-card border border-line bg-surface px-4 py-3 sm:grid-cols-3 lg:grid-cols-7">
        <Figure name={`Difference (${TYPE_LABELS[after.pointType]})`} className="col-span-2">
          <Signed value={difference} className="whitespace-normal!" />
        </Figure>
        <Figure name="Difference (transfers)">
          <Signed value={String(after.transferCount - before.transferCount)} />
        </Figure>
        <Figure name="Added">{formatCount(counts.added)}</Figure>
        <Figure name="Removed">{formatCount(counts.removed)}</Figure>
        <Figure name="Changed">{formatCount(counts.changed)}</Figure>
        <Figure name="Unchanged">{formatCount(counts.same)}</Figure>
      </dl>
      <Section
        title="Differences"
        note={
          differing > shown.length
            ? `The ${formatCount(shown.length)} largest of ${formatCount(differing)}. The CSV has all.`
            : `${counted(differing, "recipient", "recipients")}, largest difference first`
        }
        actions={
          differing > 0 && (
            <DownloadLink size="small" href={compareExportPath(after, before.id, show)}>
              Download CSV
            </DownloadLink>
          )
        }
      >
        <div className="flex print:hidden">
          <SwitchLinks
            name="Show"
            chosen={show ?? "all"}
            links={[
              { value: "all", label: "All changes", href: comparePath(after, before.id) },
              ...DIFFERENCE_KINDS.map((kind) => ({
                value: kind,
                label: DIFFERENCE_LABELS[kind],
                href: comparePath(after, before.id, kind),
              })),
            ]}
          />
        </div>
        {differing === 0 ? (
          <p className="rounded-card border border-line bg-surface p-4 text-center text-muted text-table">
            {show ? `No recipient was ${show}.` : "Both batches pay the same recipients the same amounts."}
          </p>
        ) : (
          <DifferencesTable shown={shown} />
        )}
      </Section>
    </>
  );
}

function Side({ name, batch, asOf }: { name: string; batch: ConsoleBatch; asOf: string }) {
  return (
    <section
      aria-label={name}
      className="flex min-w-0 flex-col gap-1.5 rounded-card border border-line bg-surface px-4 py-3"
    >
      <div className="flex flex-wrap items-center gap-x-3 gap-y-1">
        <h2 className="font-medium text-label text-muted">{name}</h2>
        <StatusBadge batch={batch} asOf={asOf} />
      </div>
      <BatchIdLink contractAddress={batch.contractAddress} id={batch.id} />
      <p className="flex flex-wrap items-baseline gap-x-2 font-semibold text-figure">
        <Amount
          value={batch.points}
          minus={Boolean(batch.reverses)}
          className="break-all whitespace-normal!"
        />
        <span className="font-normal text-body text-muted">
          {TYPE_LABELS[batch.pointType]} in {transfersOf(batch.transferCount)}
        </span>
      </p>
      <p className="text-label text-muted">
        Submitted <Instant at={batch.createdAt} className="tabular-nums" />
      </p>
    </section>
  );
}

function Figure({ name, className, children }: { name: string; className?: string; children: ReactNode }) {
  return (
    <div className={classNames("min-w-0", className)}>
      <dt className="text-label text-muted">{name}</dt>
      <dd className="wrap-anywhere font-semibold text-body tabular-nums">{children}</dd>
    </div>
  );
}
