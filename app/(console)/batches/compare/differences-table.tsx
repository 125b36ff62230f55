import type { ComparedBatches } from "@/server/batches/compare/compare-batches";
import type { DifferenceKind } from "@/server/batches/list/console-schema";
import { Amount, fractionDigits } from "../../../ui/amount";
import { type DataColumn, DataTable } from "../../../ui/data-table";
import { findLookalikes, HashText } from "../../../ui/hash-text";
import { recipientPath } from "../../contracts/paths";

type Difference = ComparedBatches["shown"][number];

export const DIFFERENCE_LABELS = {
  added: "Added",
  removed: "Removed",
  changed: "Changed",
} as const satisfies Record<DifferenceKind, string>;

export function DifferencesTable({ shown }: { shown: readonly Difference[] }) {
  return (
    <DataTable
      label="Recipients that differ"
      columns={columnsOf(shown)}
      rows={shown}
      keyOf={({ toAddress }) => toAddress}
      className="rounded-card border border-line bg-surface"
    />
  );
}

function columnsOf(shown: readonly Difference[]): DataColumn<Difference>[] {
  const lookalikes = findLookalikes(shown.map(({ toAddress }) => toAddress));
  const digitsOf = (name: "before" | "after" | "difference") =>
    fractionDigits(shown.map((row) => row[name] ?? ""));
  const amount = (value: string | null, fraction: number) =>
    value === null ? <span className="text-muted">None</span> : <Amount value={value} fraction={fraction} />;
  const [before, after, difference] = [digitsOf("before"), digitsOf("after"), digitsOf("difference")];
  return [
    {
      id: "recipient",
      name: "Recipient",
      render: ({ toAddress, label }) => (
        <span className="flex min-w-0 flex-wrap items-center gap-x-2">
          <HashText
            value={toAddress}
            what="address"
            href={recipientPath(toAddress)}
            lookalike={lookalikes.has(toAddress)}
          />
          {label && <span className="wrap-anywhere text-muted">{label}</span>}
        </span>
      ),
    },
    { id: "kind", name: "Change", render: ({ kind }) => <span>{DIFFERENCE_LABELS[kind]}</span> },
    { id: "before", name: "Before", right: true, render: (row) => amount(row.before, before) },
    { id: "after", name: "After", right: true, render: (row) => amount(row.after, after) },
    {
      id: "difference",
      name: "Difference",
      right: true,
      render: (row) => <Signed value={row.difference} fraction={difference} />,
    },
  ];
}

interface SignedProps {
  value: string;
  fraction?: number;
  className?: string;
}

/** A difference, with its sign. */
export function Signed({ value, ...props }: SignedProps) {
  const sign = value === "0" ? null : value.startsWith("-") ? "−" : "+";
  return (
    <>
      {sign && <span className="mr-0.5">{sign}</span>}
      <Amount value={value.replace("-", "")} {...props} />
    </>
  );
}
