"use client";
import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { Search } from "lucide-react";
import { useState } from "react";
import { TYPE_LABELS } from "@/app/(console)/batches/status";
import { HolderName } from "@/app/(console)/recipients/holder-name";
import { useTRPC } from "@/app/data/trpc";
import { formatCount } from "@/app/ui/amount";
import { Button } from "@/app/ui/button";
import { amountColumn, DataTable } from "@/app/ui/data-table";
import { Input } from "@/app/ui/fields";
import { findLookalikes } from "@/app/ui/hash-text";
import { Section } from "@/app/ui/section";
import { Loaded } from "@/app/ui/states";
import type { ConsoleSnapshot } from "@/server/snapshots/console-snapshots";
import type { LabelledHolder } from "@/server/snapshots/find-holders";
import { SEARCH_CHARS_MAX } from "@/terms/batch-terms";
import { shareText } from "./share";

export function HolderTable({ snapshot }: { snapshot: ConsoleSnapshot }) {
  const [text, setText] = useState("");
  const wanted = text.trim().slice(0, SEARCH_CHARS_MAX);
  const Rows = wanted ? Found : Largest;
  return (
    <Section
      title="Holders"
      note={wanted ? "that match" : "the largest first: the CSV has all, by address"}
      actions={
        <search className="relative w-64 max-w-full">
          <Search size={14} className="absolute top-2 left-2.5 text-muted" />
          <Input
            type="search"
            aria-label="Search holders by address or label"
            placeholder="Address or label"
            autoComplete="off"
            spellCheck={false}
            value={text}
            onChange={({ target }) => setText(target.value)}
            className="h-7! pl-8 text-table!"
          />
        </search>
      }
    >
      <Rows snapshot={snapshot} text={wanted} />
    </Section>
  );
}

interface RowsProps {
  snapshot: ConsoleSnapshot;
  text: string;
}

const tableOf = ({ pointType, points: all }: ConsoleSnapshot, holders: LabelledHolder[]) => {
  const lookalikes = findLookalikes(holders.map(({ address }) => address));
  return {
    label: "Table of holders",
    rows: holders,
    keyOf: ({ address }: LabelledHolder) => address,
    empty: "No holder of this snapshot matches. Search by the start of an address, or a part of a label.",
    columns: [
      {
        name: "Recipient",
        render: (holder: LabelledHolder) => (
          <HolderName {...holder} form="fit" lookalike={lookalikes.has(holder.address)} />
        ),
      },
      amountColumn<LabelledHolder>(TYPE_LABELS[pointType], holders, ({ points }) => points),
      { name: "Share", right: true, render: ({ points }: LabelledHolder) => shareText(points, all) },
    ],
  };
};

const FIRST_SHOWN = 10;

function Largest({ snapshot }: RowsProps) {
  const trpc = useTRPC();
  const [isWhole, setWhole] = useState(false);
  const query = useQuery(trpc.console.snapshots.largest.queryOptions({ snapshotId: snapshot.id }));
  return (
    <Loaded query={query}>
      {(largest) => (
        <>
          <DataTable {...tableOf(snapshot, isWhole ? largest : largest.slice(0, FIRST_SHOWN))} />
          {!isWhole && largest.length > FIRST_SHOWN && (
            <Button size="small" className="self-center" onClick={() => setWhole(true)}>
              Show the largest {formatCount(largest.length)}
            </Button>
          )}
        </>
      )}
    </Loaded>
  );
}

function Found({ snapshot, text }: RowsProps) {
  const trpc = useTRPC();
  const query = useQuery(
    trpc.console.snapshots.find.queryOptions(
      { snapshotId: snapshot.id, text },
      { placeholderData: keepPreviousData },
    ),
  );
  return (
    <Loaded query={query}>
      {(found) => (
        <div
          aria-busy={query.isPlaceholderData}
          className={query.isPlaceholderData ? "opacity-50" : undefined}
        >
          <DataTable {...tableOf(snapshot, found)} />
        </div>
      )}
    </Loaded>
  );
}
