"use client";
import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { TYPE_LABELS } from "@/app/(console)/batches/status";
import { HolderName } from "@/app/(console)/recipients/holder-name";
import { useTRPC } from "@/app/data/trpc";
import { formatCount } from "@/app/ui/amount";
import { amountColumn, DataTable } from "@/app/ui/data-table";
import { SearchInput } from "@/app/ui/fields";
import { findLookalikes } from "@/app/ui/hash-text";
import { Section } from "@/app/ui/section";
import { Loaded } from "@/app/ui/states";
import type { ConsoleSnapshot } from "@/server/snapshots/console-snapshots";
import { SEARCH_CHARS_MAX } from "@/terms/batch-terms";
import { shareText } from "./share";

const NO_MATCH =
  "No holder of this snapshot matches. Search by the start of an address, or a part of a label.";

export function HolderTable({ snapshot }: { snapshot: ConsoleSnapshot }) {
  const { largest, find } = useTRPC().console.snapshots;
  const [text, setText] = useState("");
  const wanted = text.trim().slice(0, SEARCH_CHARS_MAX);
  const key = { snapshotId: snapshot.id };
  const all = useQuery(largest.queryOptions(key));
  const found = useQuery(
    find.queryOptions(
      { ...key, text: wanted },
      { enabled: wanted !== "", placeholderData: keepPreviousData },
    ),
  );
  const query = wanted ? found : all;
  return (
    <Section
      title="Holders"
      note={
        wanted ? "the first that match" : `the largest of ${formatCount(snapshot.holders)}: the CSV has all`
      }
      actions={
        <SearchInput
          aria-label="Search holders by address or label"
          placeholder="Address or label"
          value={text}
          onChange={({ target }) => setText(target.value)}
          className="w-64 max-w-full"
          isSmall
        />
      }
    >
      <Loaded query={query}>
        {(holders) => {
          const lookalikes = findLookalikes(holders.map(({ address }) => address));
          return (
            <div aria-busy={query.isPlaceholderData} className="aria-busy:opacity-50">
              <DataTable
                label="Table of holders"
                rows={holders}
                keyOf={({ address }) => address}
                empty={NO_MATCH}
                columns={[
                  {
                    name: "Recipient",
                    render: (holder) => (
                      <HolderName {...holder} form="fit" lookalike={lookalikes.has(holder.address)} />
                    ),
                  },
                  amountColumn(TYPE_LABELS[snapshot.pointType], holders, ({ points }) => points),
                  {
                    name: "Share",
                    right: true,
                    render: ({ points }) => shareText(points, snapshot.points),
                  },
                ]}
              />
            </div>
          );
        }}
      </Loaded>
    </Section>
  );
}
