"use client";
import { useQuery } from "@tanstack/react-query";
import { recipientPath } from "@/app/(console)/paths";
import { useTRPC } from "@/app/data/trpc";
import { Amount, AmountHeading, formatCount, fractionDigits } from "@/app/ui/amount";
import { amountColumn, type DataColumn, DataTable } from "@/app/ui/data-table";
import { findLookalikes, HashText } from "@/app/ui/hash-text";
import { Loaded, Skeleton } from "@/app/ui/states";
import type { ComparedBatches, Difference } from "@/server/batches/review/compare-batches";
import type { BatchKey } from "@/terms/batch-schema";

export interface DifferencesProps {
  batchKey: BatchKey;
  withId: string;
}

export default function ComparedRecipients({ batchKey, withId }: DifferencesProps) {
  const compared = useQuery(
    useTRPC().console.batches.compare.queryOptions(
      { ...batchKey, withId },
      { staleTime: Number.POSITIVE_INFINITY },
    ),
  );
  return (
    <section aria-label={`Differences from ${withId}`} className="my-2 flex flex-col gap-2">
      <Loaded query={compared} skeleton={<Skeleton className="h-24 w-full" />}>
        {(found) => (
          <>
            <p>
              <Summary compared={found} />
            </p>
            {found.shown.length > 0 && (
              <DataTable
                label="Recipients that differ"
                columns={columnsOf(found.shown)}
                rows={found.shown}
                keyOf={({ toAddress }) => toAddress}
              />
            )}
          </>
        )}
      </Loaded>
    </section>
  );
}

function Summary({ compared: { counts, difference, shown } }: { compared: ComparedBatches }) {
  const { added, removed, changed, same } = counts;
  const differing = added + removed + changed;
  if (differing === 0) return "Both batches pay the same recipients the same amounts.";
  return (
    <>
      {formatCount(added)} added, {formatCount(removed)} removed, {formatCount(changed)} changed,{" "}
      {formatCount(same)} unchanged. Total <Signed value={difference} />.
      {differing > shown.length && ` The ${formatCount(shown.length)} largest differences:`}
    </>
  );
}

function columnsOf(shown: readonly Difference[]): DataColumn<Difference>[] {
  const lookalikes = findLookalikes(shown.map(({ toAddress }) => toAddress));
  const fraction = fractionDigits(shown.map(({ difference }) => difference));
  return [
    {
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
    amountColumn("Before", shown, ({ before }) => before),
    amountColumn("After", shown, ({ after }) => after),
    {
      name: "Difference",
      heading: <AmountHeading name="Difference" fraction={fraction} />,
      right: true,
      render: ({ difference }) => <Signed value={difference} fraction={fraction} />,
    },
  ];
}

function Signed({ value, fraction }: { value: string; fraction?: number }) {
  const sign = value === "0" ? null : value.startsWith("-") ? "−" : "+";
  return (
    <>
      {sign && <span className="mr-0.5">{sign}</span>}
      <Amount value={value.replace("-", "")} fraction={fraction} />
    </>
  );
}
